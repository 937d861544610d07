/** A score as JUnit XML, as build servers read it. */
import type { Score } from './receiver-score.ts';

export function junitOf(scores: readonly Score[], url: string): string {
  const failures = scores.filter(({ passed }) => !passed).length;
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  const total = seconds(scores.reduce((sum, { ms }) => sum + ms, 0));
  const cases = scores.map((score) => {
    const open = `    <testcase classname="webhook receiver" name="${xmlText(`${score.case}: ${score.title}`)}" time="${seconds(score.ms)}"`;
    return score.passed
      ? `${open}/>`
      : `${open}>\n      <failure message="${xmlText(score.reason)}"/>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="pixctl webhook test" tests="${scores.length}" failures="${failures}" time="${total}">`,
    `  <testsuite name="${xmlText(url)}" tests="${scores.length}" failures="${failures}" errors="0" skipped="0" time="${total}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Also drops what XML 1.0 cannot carry. */
const xmlText = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

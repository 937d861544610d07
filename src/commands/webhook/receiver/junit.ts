/** Writes a score as JUnit XML, as build servers read it. */
import type { ReceiverCase } from './cases.ts';
import type { Score } from './score.ts';

/** Returns the XML. An untried case is an error, so that no build server takes part of the score for all of it. */
export function junitOf(
  scores: readonly Score[],
  untried: readonly Pick<ReceiverCase, 'name' | 'title'>[],
  url: string,
): string {
  const failures = scores.filter(({ passed }) => !passed).length;
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  const total = seconds(scores.reduce((sum, { ms }) => sum + ms, 0));
  const testcase = (name: string, title: string, ms: number) =>
    `    <testcase classname="webhook receiver" name="${xmlText(`${name}: ${title}`)}" time="${seconds(ms)}"`;
  const tried = scores.map((score) => {
    const open = testcase(score.case, score.title, score.ms);
    return score.passed
      ? `${open}/>`
      : `${open}>\n      <failure message="${xmlText(score.reason)}"/>\n    </testcase>`;
  });
  const missing = untried.map(
    ({ name, title }) =>
      `${testcase(name, title, 0)}>\n      <error message="it was not tried: pixctl did not get to the end"/>\n    </testcase>`,
  );
  const counts = `tests="${scores.length + untried.length}" failures="${failures}" errors="${untried.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="pixctl webhook test" ${counts} time="${total}">`,
    `  <testsuite name="${xmlText(url)}" ${counts} skipped="0" time="${total}">`,
    ...tried,
    ...missing,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Escapes text, and replaces what XML 1.0 cannot carry. */
const xmlText = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

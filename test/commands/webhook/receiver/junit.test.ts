import { expect, it } from 'vitest';
import { junitOf } from '../../../../src/commands/webhook/receiver/junit.ts';

it('a case that passed is empty, one that failed says why, one that was not tried is an error', () => {
  const scores = [
    { case: 'genuine', title: 'a delivery', passed: true, statuses: [200], ms: 12, reason: 'answered 200' },
    {
      case: 'forged',
      title: '<b>"&"</b>',
      passed: false,
      statuses: [200],
      ms: 1_008,
      reason: 'took\u0000 it',
    },
  ];
  const xml = junitOf(scores, [{ name: 'late', title: 'an old one' }], 'http://localhost:3000/?a&b');
  expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="pixctl webhook test" tests="3" failures="1" errors="1" time="1.020">
  <testsuite name="http://localhost:3000/?a&#38;b" tests="3" failures="1" errors="1" skipped="0" time="1.020">
    <testcase classname="webhook receiver" name="genuine: a delivery" time="0.012"/>
    <testcase classname="webhook receiver" name="forged: &#60;b&#62;&#34;&#38;&#34;&#60;/b&#62;" time="1.008">
      <failure message="took? it"/>
    </testcase>
    <testcase classname="webhook receiver" name="late: an old one" time="0.000">
      <error message="it was not tried: pixctl did not get to the end"/>
    </testcase>
  </testsuite>
</testsuites>
`);
});

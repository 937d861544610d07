import { expect, it } from 'vitest';
import { controlHosts } from '../../src/sandbox/listen.ts';

it.each([
  ['127.0.0.1', [], ['127.0.0.1']],
  ['fd00::2', ['Sandbox'], ['[fd00::2]', 'sandbox']],
  ['0.0.0.0', ['FD00::0002'], ['[fd00::2]']],
  ['::', [], []],
])('the control plane of %s with %j is called under %j', (host, allowed, names) => {
  expect(controlHosts(host, allowed)).toEqual(names);
});

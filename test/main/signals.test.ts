/** How a second signal ends the process. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { noSignals } from '../support/platform.ts';

/** A run that a signal has come to twice, on that platform: how its process ended. */
function twice(name: string, platform: string, code: number | null) {
  const signals = new URL('../../src/main/signals.ts', import.meta.url).href;
  const script = `
    const { listenForSignals } = await import('${signals}');
    listenForSignals(() => ${code}, '${platform}');
    process.emit('${name}', '${name}');
    process.emit('${name}', '${name}');`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return [ended.status, ended.signal];
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])(
  'on Windows, where a process that is sent a signal ends with 1, a second %s ends it with %i',
  (name, code) => {
    expect(twice(name, 'win32', null)).toEqual([code, null]);
  },
);

it.skipIf(noSignals !== null).each(['SIGINT', 'SIGTERM'])(
  'elsewhere a second %s ends the process itself',
  (name) => {
    expect(twice(name, 'linux', null)).toEqual([null, name]);
  },
);

it.each(['linux', 'win32'])('what may have been sent is reported with 81 everywhere (%s)', (platform) => {
  expect(twice('SIGINT', platform, 81)).toEqual([81, null]);
});

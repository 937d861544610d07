/** Whoever may open no more files is told that, and not to change a port or a state that is all right. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { translateOpenError } from '../../src/sandbox/store/state-errors.ts';
import { source, withoutFiles } from '../support/few-files.ts';
import { noShell, skipped } from '../support/platform.ts';

const tell = `(error) => process.stdout.write(error.code + ' ' + error.hint)`;

it.skipIf(noShell !== null).each([
  [
    'the listener',
    `import { startServer } from ${source('listener/receiving/server')};`,
    `await startServer({ host: '127.0.0.1', port: 0, path: null, clock: { monotonic: () => 0 } }).catch(${tell});`,
    'CANNOT_LISTEN',
  ],
  [
    'the sandbox',
    `import { reservePorts } from ${source('sandbox/reserve-ports')}; import 'node:net';`,
    `await reservePorts('127.0.0.1', 0).catch(${tell});`,
    'PORT',
  ],
  [
    'the state of a sandbox',
    `import { openStore } from ${source('sandbox/store/store')};`,
    `try { openStore(process.argv[1]); } catch (error) { (${tell})(error); }`,
    'STATE_UNUSABLE',
  ],
])(skipped('%s asks for more files, and for nothing else', noShell), (_what, imports, program, code) => {
  const told = withoutFiles(imports, program, join(mkdtempSync(join(tmpdir(), 'pixctl-few-')), 'state.db'));
  expect(told).toBe(`${code} Allow it to open more files (ulimit -n).`);
});

it('the state of a sandbox that SQLite cannot open may have either cause', () => {
  const cannotOpen = Object.assign(new Error('unable to open database file'), {
    code: 'ERR_SQLITE_ERROR',
    errcode: 14,
  });
  expect(translateOpenError('state.db', cannotOpen)).toMatchObject({
    hint: 'Check that its folder can be written to, and allow it to open more files (ulimit -n).',
  });
});

/** What `doctor` says of a ledger and an inbox that are not there: never ok of a directory that is refused. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { onWindows } from '../../support/platform.ts';
import { emptyHome, run } from '../../support/run.ts';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly found: string;
  readonly remedy: string | null;
}

const stateOf = (home: string) => join(home, '.local/state/pixctl');

async function doctor(home: string, env: Record<string, string> = {}) {
  const { code, stdout } = await run(['doctor', '--offline', '-o', 'json'], { home, env });
  const findings = JSON.parse(stdout) as Finding[];
  return { code, of: (check: string) => findings.filter((one) => one.check === check) };
}

it('says ok of what the first use can make', async () => {
  const { of } = await doctor(emptyHome());
  expect([...of('ledger'), ...of('inbox')].map(({ state, found }) => ({ state, found }))).toEqual([
    { state: 'ok', found: 'none yet: the first withdrawal creates it' },
    { state: 'ok', found: 'none yet: the first webhook listen creates it' },
  ]);
});

const makeOpen = (state: string) => {
  mkdirSync(state);
  chmodSync(state, 0o777);
};

it.each(
  [
    { what: 'is a file', fault: 'it is not a directory', make: (state: string) => writeFileSync(state, '') },
    { what: 'is open to others', fault: 'group or others may write it (mode 777)', make: makeOpen },
  ].slice(0, onWindows ? 1 : 2),
)('does not say ok where the state directory $what', async ({ fault, make }) => {
  const home = emptyHome();
  const state = stateOf(home);
  mkdirSync(dirname(state), { recursive: true });
  make(state);
  const { code, of } = await doctor(home);
  expect(code).toBe(78);
  expect(of('files')).toContainEqual(
    expect.objectContaining({ state: 'wrong', found: `${state}: ${fault}` }),
  );
  const { remedy } = of('files').find((one) => one.state === 'wrong') ?? {};
  const found = (maker: string) =>
    `none was found, and ${state}, where the first ${maker} would create it, is not as it should be: ${fault}`;
  expect(of('ledger')).toEqual([{ check: 'ledger', state: 'warning', found: found('withdrawal'), remedy }]);
  expect(of('inbox')).toEqual([{ check: 'inbox', state: 'warning', found: found('webhook listen'), remedy }]);
});

it('does not say ok where the directory cannot be made', async () => {
  const file = join(emptyHome(), 'a-file');
  writeFileSync(file, '');
  const { of } = await doctor(emptyHome(), { PIXCTL_STATE_DIR: join(file, 'state') });
  expect(of('ledger')).toEqual([
    {
      check: 'ledger',
      state: 'warning',
      found: `none was found, and the first withdrawal cannot create it (${file}: not a directory)`,
      remedy: expect.stringContaining('PIXCTL_LEDGER_URL'),
    },
  ]);
});

it.skipIf(onWindows || process.geteuid?.() === 0)(
  'tells what it may not look into as a finding, and the rest besides',
  async () => {
    const home = emptyHome();
    const above = dirname(stateOf(home));
    mkdirSync(stateOf(home), { recursive: true });
    chmodSync(above, 0o000);
    const { code, of } = await doctor(home);
    chmodSync(above, 0o700);
    expect(code).toBe(78);
    for (const check of ['files', 'ledger', 'inbox'])
      expect(of(check)).toEqual([
        expect.objectContaining({ state: 'wrong', remedy: `Give yourself access: chmod 700 '${above}'` }),
      ]);
    expect(of('listener port')).toHaveLength(1);
  },
);

it('looks at a ledger that lies there, though the settings that named it are lost', async () => {
  const home = emptyHome();
  const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_sandbox_canary' };
  const pay = ['withdraw', '--amount', '100', '--to', 'a@example.com', '--type', 'EMAIL', '--yes'];
  expect((await run([...pay, '--idempotency-key', 'k-1'], { home, env })).code).toBe(75);
  rmSync(join(home, '.config'), { recursive: true });
  const { of } = await doctor(home);
  expect(of('ledger')).toMatchObject([{ state: 'ok', found: join(stateOf(home), 'ledger.sqlite') }]);
});

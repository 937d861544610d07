/** Which kept secret is used is never a guess between two, and a choice is told. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verify } from '../../../../src/contract/signature.ts';
import { type Sandbox, startSandbox } from '../../../../src/sandbox/index.ts';
import { emptyHome, run } from '../../../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const body = '{"id":"evt_1"}';

/** A home where endpoints of these addresses were registered. */
async function registered(...urls: string[]) {
  const home = emptyHome();
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  const endpoints: { id: string; secret: string }[] = [];
  for (const url of urls) {
    const { stdout } = await run(['webhook', 'add', '--url', url, '-e', 'CHARGE_PAID', '--json'], {
      home,
      env,
    });
    endpoints.push(JSON.parse(stdout));
  }
  const sign = (...flags: string[]) =>
    run(['webhook', 'sign', '--payload-file', '-', ...flags], { home, env, input: body });
  return { endpoints, sign };
}

const signs = (secret: string | undefined, header: string): boolean =>
  verify({ secret: secret ?? '', body, header: header.trim(), now: 0, toleranceMs: null }).ok;

it('is asked for where several endpoints may be meant', async () => {
  const { endpoints, sign } = await registered('https://a.example/hooks', 'https://b.example/hooks');
  const [a, b] = endpoints;
  const told = await sign();
  expect(told).toMatchObject({ code: 64, stdout: '' });
  expect(told.stderr).toContain('2 endpoints with a stored signing secret could be meant. Nothing was sent.');
  expect(told.stderr).toContain(
    `The choices are ${a?.id} (https://a.example/hooks), ${b?.id} (https://b.example/`,
  );
  const named = await sign('--endpoint', a?.id ?? '');
  expect({ code: named.code, isOfA: signs(a?.secret, named.stdout) }).toEqual({ code: 0, isOfA: true });
});

it.each([[[]], [['--quiet']]])(
  'of a listener on this machine is taken, and that is told: %s',
  async (flags) => {
    const { endpoints, sign } = await registered('https://a.example/hooks', 'http://localhost:4400/');
    const own = endpoints[1];
    const { code, stdout, stderr } = await sign(...flags);
    expect({ code, isOwn: signs(own?.secret, stdout) }).toEqual({ code: 0, isOwn: true });
    expect(stderr).toContain(
      `Using the secret of ${own?.id} (http://localhost:4400/), one of 2 stored here; --endpoint <id> chooses another.`,
    );
  },
);

it('that is the only one stored is told too: nobody has named it', async () => {
  const { endpoints, sign } = await registered('https://a.example/hooks');
  const { code, stderr } = await sign();
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Using the secret of ${endpoints[0]?.id} (https://a.example/hooks), the only one stored here.\n`,
  });
  expect((await sign('--quiet')).stderr).toBe('');
  expect((await sign('--endpoint', endpoints[0]?.id ?? '')).stderr).toBe('');
});

it('is needed where none is stored, and where one comes from is told', async () => {
  const { sign } = await registered();
  const { code, stderr } = await sign();
  expect(code).toBe(64);
  expect(stderr).toContain(
    'Give --secret-file, --secret-stdin or PIXCTL_WEBHOOK_SECRET. None is stored here; pixctl webhook add stores one, and on a sandbox so does pixctl webhook listen.',
  );
  const sent = await run(['webhook', 'trigger', 'CHARGE_PAID', '-f', '9'], { home: emptyHome() });
  expect(sent.code).toBe(64);
  expect(sent.stderr).toContain(
    'PIXCTL_WEBHOOK_SECRET: the one that your application knows, or any text if it has none yet. None is stored here;',
  );
});

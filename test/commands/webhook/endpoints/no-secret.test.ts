/** A service whose answer to a registration has no secret where it was assumed. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostileServer, json, success } from '../../../support/hostile-server.ts';
import { listenOnLoopback } from '../../../support/listen-on-loopback.ts';
import { emptyHome, run } from '../../../support/run.ts';

const args = ['webhook', 'add', '--url', 'https://shop.example/hook', '--events', 'CHARGE_PAID'];

it('is told with the endpoint that stays behind, and with what to do when the dashboard shows the secret', async () => {
  const server = createServer((request, response) => {
    request.resume();
    const data = { id: 'wh_7', signature: 'whsec_elsewhere' };
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data, error: null, success: true }));
  });
  const port = await listenOnLoopback(server);
  const env = {
    PIXCTL_BASE_URL: `http://127.0.0.1:${port}`,
    PIXCTL_API_KEY: 'svc_test',
    PIXCTL_MERCHANT: 'm',
  };
  const { code, stderr } = await run(args, { home: emptyHome(), env });
  expect(code).toBe(1);
  expect(stderr).toContain('The endpoint wh_7 was registered for https://shop.example/hook');
  expect(stderr).toContain('pixctl webhook listen --secret-file <file>');
  expect(stderr).not.toContain('whsec_elsewhere');
  server.close();
});

describe('an answer of another shape than was assumed loses no secret', () => {
  const secret = 'whsec_once';
  it.each<[string, number, object, string]>([
    ['with another status', 200, success({ id: 'wh_7', secret }), 'wh_7'],
    ['beside the data', 201, { ...success({ id: 'wh_7' }), secret }, 'wh_7'],
    ['deeper in the data', 201, success({ endpoint: { id: 'wh_7', secret } }), 'wh_7'],
    ['with a key that has an id too', 201, success({ id: 'wh_7', key: { id: 'key_1', secret } }), 'wh_7'],
    ['in an answer with an id of its own', 201, { ...success({ id: 'wh_7' }), id: 'req_1', secret }, 'wh_7'],
    ['in a list', 201, success([{ id: 'wh_7', secret }]), 'wh_7'],
    ['under another name', 201, success({ id: 'wh_7', signingSecret: secret }), 'wh_7'],
    ['under another name in snake case', 201, success({ id: 'wh_7', webhook_secret: secret }), 'wh_7'],
    ['as a key', 201, success({ id: 'wh_7', signingKey: secret }), 'wh_7'],
    ['beside one that is null', 201, success({ id: 'wh_7', secret: null, signing: { secret } }), 'wh_7'],
    ['apart from the endpoint', 201, success({ endpoint: { id: 'wh_7' }, signing: { secret } }), 'wh_7'],
    ['with an id that is a number', 201, success({ id: 7, secret }), '7'],
    [
      'beside that of a client',
      201,
      success({ id: 'wh_7', clientSecret: 'c', signingSecret: secret }),
      'wh_7',
    ],
    ['beside a masked one', 201, success({ id: 'wh_7', secret: 'whsec_****ce', key: { secret } }), 'wh_7'],
  ])('%s', async (_, status, answer, id) => {
    await using server = await hostileServer((response) => json(response, status, answer));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
    const home = emptyHome();
    const { code, stdout, stderr } = await run([...args, '-o', 'json'], { home, env });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { id, secret }]);
    expect(stderr).toContain('its answer is not as documented; the secret was found in it and is used');
    const kept = await run(['webhook', 'sign', '--endpoint', id, '--payload-file', '-'], {
      home,
      env,
      input: '{}',
    });
    expect(kept.code).toBe(0);
  });

  it.each<[string, object]>([
    ['is null', { id: 'wh_7', secret: null }],
    ['is no text', { id: 'wh_7', secret: { hint: '...abcd' } }],
    ['may be one of two', { id: 'wh_7', signingSecret: 'whsec_1', webhookSecret: 'whsec_2' }],
    ['is that of a client', { id: 'wh_7', clientSecret: 'whsec_2' }],
    ['is a public key', { id: 'wh_7', publicSigningKey: 'MCowBQYDK2VwAyEA' }],
    ['is an earlier one', { id: 'wh_7', previous_secret: 'whsec_0' }],
    ['is one of earlier ones', { id: 'wh_7', secret: 'whsec_****1234', previous: { secret: 'whsec_0' } }],
    ['is that of another client', { id: 'wh_7', 'client-secret': 'whsec_2' }],
    ['is masked', { id: 'wh_7', secret: 'whsec_****1234' }],
  ])(
    'and where it %s, the endpoint is told as registered, not as an answer that was lost',
    async (_, data) => {
      await using server = await hostileServer((response) => json(response, 201, success(data)));
      const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
      const { code, stderr } = await run(args, { home: emptyHome(), env });
      expect([code, stderr]).toEqual([1, expect.stringContaining('The endpoint wh_7 was registered for')]);
    },
  );

  it.each([
    ['alone', {}],
    ['beside the documented one', { secret }],
  ])('and --secret-file keeps it from the output, under whatever name it came, %s', async (_, documented) => {
    const data = { id: 'wh_7', ...documented, signingSecret: secret, signing: { key: secret } };
    await using server = await hostileServer((response) => json(response, 201, success(data)));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
    const home = emptyHome();
    const file = join(home, 'pix.secret');
    const { stdout, stderr } = await run([...args, '--secret-file', file, '-o', 'json'], { home, env });
    expect(readFileSync(file, 'utf8').trim()).toBe(secret);
    expect(JSON.parse(stdout)).toMatchObject({ id: 'wh_7' });
    expect(`${stdout}${stderr}`).not.toContain(secret);
  });

  it.each([
    'whsec_****abcd',
    'whsec_\u2022\u2022\u2022\u2022abcd',
    'whsec...abcd',
    '[redacted]',
    '[FILTERED]',
    'whsec_\u00b7\u00b7\u00b7\u00b7abcd',
    'whsec_xxxxxxxxxxxx1234',
    'whsec_xxxxxxxx',
  ])('and where it is masked (%s), it is refused with what to do, and not stored', async (masked) => {
    await using server = await hostileServer((response) =>
      json(response, 201, success({ id: 'wh_7', secret: masked })),
    );
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
    const home = emptyHome();
    const { code, stdout, stderr } = await run(args, { home, env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      'The endpoint wh_7 was registered for https://shop.example/hook, but the answer',
    );
    expect(stderr).toContain('shows its secret masked');
    expect(stderr).not.toContain('is used');
    expect(stderr).toContain('Do not register again');
    const sign = ['webhook', 'sign', '--endpoint', 'wh_7', '--payload-file', '-'];
    expect((await run(sign, { home, env, input: '{}' })).code).toBe(78);
  });

  it('the id is found beside it under another name', async () => {
    await using server = await hostileServer((response) =>
      json(response, 201, success({ endpointId: 'wh_7', secret })),
    );
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
    const { stdout } = await run([...args, '-o', 'json'], { home: emptyHome(), env });
    expect(JSON.parse(stdout)).toMatchObject({ id: 'wh_7', secret });
  });

  it.each<[string, number, object]>([
    ['does not say that it is a success', 200, { message: 'ok' }],
    ['is a failure', 500, { ...success({ id: 'wh_7', secret }) }],
    ['says that it is none', 201, { ...success({ id: 'wh_7', secret }), success: false }],
  ])('but none is taken from one that %s', async (_, status, answer) => {
    await using server = await hostileServer((response) => json(response, status, answer));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
    expect((await run(args, { home: emptyHome(), env })).code).toBe(81);
  });
});

describe('an answer that names an error beside success', () => {
  const secret = 'whsec_once';
  const both = { ...success({ id: 'wh_7', secret }), error: 'INTERNAL_ERROR' };
  const listen = ['webhook', 'listen', '--register', '--port', '0', '--exit-after', '1', '--within', '1s'];

  it.each<[string, string[], object]>([
    ['webhook add', args, both],
    ['webhook add, with a secret in an odd place', args, { ...both, data: { id: 'wh_7', key: { secret } } }],
    ['webhook listen --register', listen, both],
  ])('ends %s with 81, and its secret is kept', async (_, line, answer) => {
    await using server = await hostileServer((response) => json(response, 201, answer));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
    const home = emptyHome();
    const { code, stderr } = await run(line, { home, env });
    expect([code, stderr]).toEqual([81, expect.stringMatching(/The endpoint wh_7 may have been registered/)]);
    expect(stderr).toMatch(/stored here/);
    expect(stderr).not.toMatch(/has registered|is registered|^Registered/m);
    const sign = ['webhook', 'sign', '--endpoint', 'wh_7', '--payload-file', '-'];
    expect((await run(sign, { home, env, input: '{}' })).code).toBe(0);
  });

  it('is shown by webhook add, and written to a --secret-file', async () => {
    await using server = await hostileServer((response) => json(response, 201, both));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
    const home = emptyHome();
    const file = join(home, 'pix.secret');
    const shown = await run([...args, '-o', 'json'], { home, env });
    expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([81, { id: 'wh_7', secret }]);
    expect((await run([...args, '--secret-file', file], { home, env })).code).toBe(81);
    expect(readFileSync(file, 'utf8').trim()).toBe(secret);
  });

  it('and no id, is looked for in the dashboard only', async () => {
    await using server = await hostileServer((response) =>
      json(response, 201, { ...both, data: { secret } }),
    );
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
    const { code, stderr } = await run(args, { home: emptyHome(), env });
    expect([code, stderr]).toEqual([
      81,
      expect.stringContaining('The endpoint may have been registered for'),
    ]);
    expect(stderr).not.toContain('webhook deliveries');
  });

  it('and no secret that could be used, ends with 81 as well', async () => {
    const answer = { ...both, data: { id: 'wh_7', secret: 'whsec_****1234' } };
    await using server = await hostileServer((response) => json(response, 201, answer));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
    const { code, stderr } = await run(args, { home: emptyHome(), env });
    expect([code, stderr]).toEqual([81, expect.stringContaining('which names wh_7, but proves nothing')]);
  });
});

it('of two registrations of one address without ids, none replaces the secret of the other', async () => {
  let count = 0;
  await using server = await hostileServer((response) =>
    json(response, 201, success({ secret: `whsec_${++count}` })),
  );
  const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
  const home = emptyHome();
  const ids: string[] = [];
  for (let round = 0; round < 2; round++)
    ids.push(JSON.parse((await run([...args, '-o', 'json'], { home, env })).stdout).id);
  expect(new Set(ids).size).toBe(2);
});

/** The answer that the ledger could not be told goes to stderr: no terminal obeys it, and a parser reads it. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allHostileText as evil, rawIn } from '../../support/hostile-text.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';
import { emptyHome, run } from '../../support/run.ts';
import { payArgs } from '../../support/withdrawal-bench.ts';

const state = join(emptyHome(), 'state');
// No id that can be kept holds these two.
const id = evil.replaceAll('\0', '').replaceAll('\ud800', '');
const at = '2026-03-10T12:00:00.000Z';
const charged = { txid: evil, brCode: evil, imageBase64: `data:image/png;base64,${evil}`, expiresAt: at };
const paid = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
const record = { ...charged, ...paid, id, amount: 1050, status: 'PENDING', createdAt: at, note: evil };

/** It takes whatever is posted; by then nothing can be written to the ledger any more, nor read from it. */
const server = createServer((request, response) => {
  const isList = request.method === 'GET';
  if (!isList) {
    const ledger = new DatabaseSync(join(state, 'ledger.sqlite'));
    ledger.exec('ALTER TABLE ledger_intents RENAME TO gone');
    ledger.close();
  }
  const end = isList ? { pagination: { hasMore: false, next: null, before: null } } : {};
  response.writeHead(isList ? 200 : 201, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ data: isList ? [] : record, error: null, success: true, ...end }));
});
let env: Record<string, string>;
beforeAll(async () => {
  const port = await listenOnLoopback(server);
  env = {
    PIXCTL_BASE_URL: `http://127.0.0.1:${port}`,
    PIXCTL_API_KEY: 'svc_test',
    PIXCTL_STATE_DIR: state,
  };
});
afterAll(() => void server.close());

it.each([
  ['a withdrawal', payArgs('k-1', 1_050), { verdict: { withdrawal: { id, note: evil } } }],
  [
    'a charge',
    ['charge', 'create', '--amount', '1050', '--idempotency-key', 'k-1', '--json'],
    { chargeId: id },
  ],
])('of %s', async (_, args, said) => {
  rmSync(state, { recursive: true, force: true });
  const { code, stderr } = await run(args, { env });
  expect([code, rawIn(stderr)]).toEqual([81, []]);
  const [, line = ''] = /keep this line: (\{.*\})$/m.exec(stderr) ?? [];
  expect(JSON.parse(line)).toMatchObject({ idempotencyKey: 'k-1', ...said });
});

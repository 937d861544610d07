import { describe, expect, it } from 'vitest';
import { chooseLikeliest } from '../../../../src/commands/webhook/secrets/likeliest-secret.ts';
import type { StoredSecret } from '../../../../src/commands/webhook/secrets/secrets.ts';

const service = 'https://api.example.com';
const sandbox = 'http://127.0.0.1:4010';
const gone = 'http://127.0.0.1:4001';
const of = (id: string, baseUrl: string, url: string): StoredSecret => ({
  endpoint: {
    id,
    baseUrl,
    url,
    events: ['CHARGE_PAID'],
    ...(baseUrl === service ? {} : { sandbox: baseUrl }),
  },
  secret: `whsec_${id}`,
});
const local: StoredSecret = { endpoint: null, secret: 'whsec_local' };
const shop = of('shop', service, 'https://shop.example.com/pix');
const tunnel = of('tunnel', service, 'https://me.example.com/');
const here = of('here', sandbox, 'http://127.0.0.1:4400/');
const old = of('old', gone, 'http://127.0.0.1:4400/');
const older = of('older', 'http://127.0.0.1:4000', 'http://127.0.0.1:4400/');

const place = { target: null, baseUrl: service, sandbox };

describe('likeliest', () => {
  it.each<[string, StoredSecret[], object, string[]]>([
    ['the one of the service in use', [old, here, shop], {}, ['shop']],
    ['the one of the sandbox in use', [old, shop, here], { baseUrl: sandbox }, ['here']],
    ['that of the target, before that', [old, shop, here], { target: 'http://localhost:4400/' }, ['here']],
    [
      'no sandbox that is gone, though it is the target',
      [old, shop],
      { target: 'http://[::1]:4400/' },
      ['shop'],
    ],
    ['both of the service, which forgets none', [shop, tunnel, here], {}, ['shop', 'tunnel']],
    [
      'the later of two at one address of a sandbox',
      [of('a', sandbox, 'http://127.0.0.1:4400/'), here],
      {},
      ['here'],
    ],
    ['the newest of sandboxes that are gone', [older, old], {}, ['old']],
    ['the one of this machine before those', [older, old, local], {}, ['local']],
    ['an endpoint before the one of this machine', [here, local], { baseUrl: null }, ['here']],
    ['none where none is kept', [], {}, []],
  ])('takes %s', (_, kept, at, meant) => {
    expect(chooseLikeliest(kept, { ...place, ...at }).map(({ endpoint }) => endpoint?.id ?? 'local')).toEqual(
      meant,
    );
  });
});

import { describe, expect, it } from 'vitest';
import {
  parseHeaders,
  readSignatureHeader,
  withHeaders,
} from '../../../src/listener/posting/extra-headers.ts';
import type { OutgoingPost } from '../../../src/listener/posting/post.ts';

describe('--header', () => {
  it.each([
    ['X-Tenant: 7', ['X-Tenant', '7']],
    ['Authorization:Bearer a: b', ['Authorization', 'Bearer a: b']],
    ['X-Empty:', ['X-Empty', '']],
  ])('%j is a header', (text, header) => {
    expect(parseHeaders([text], 'Service-Signature')).toEqual([header]);
  });

  it.each([
    'X-Tenant',
    ': 7',
    'X Tenant: 7',
    'X-Tenant: 7\r\nX-Other: 8',
    'X-Tenant: \u20ac',
    'Host: evil.example',
    'content-length: 3',
    'service-signature: t=1,v1=0',
    'Pixctl-Edited: no',
  ])('%j is refused', (text) => {
    expect(() => parseHeaders([text], 'Service-Signature')).toThrow(
      expect.objectContaining({ kind: 'usage' }) as Error,
    );
  });

  it('that pixctl decides is refused by its name', () => {
    expect(() => parseHeaders(['Host: a.example'], 'Service-Signature')).toThrow(
      '--header cannot set Host, which pixctl decides itself. Nothing was sent.',
    );
  });

  it('goes with every post, replacing one of that name', async () => {
    const sent: OutgoingPost[] = [];
    const post = withHeaders(
      async (outgoing) => {
        sent.push(outgoing);
        return { status: 200, ms: 1, body: new Uint8Array() };
      },
      [['X-Tenant', '7']],
    );
    const headers = [
      ['x-tenant', 'theirs'],
      ['Service-Signature', 't=1,v1=0'],
    ] as const;
    await post({ url: 'http://localhost/', body: new Uint8Array(), headers, timeoutMs: 1 });
    expect(sent[0]?.headers).toEqual([
      ['Service-Signature', 't=1,v1=0'],
      ['X-Tenant', '7'],
    ]);
  });
});

it.each(['Service-Signature', 'X-Hub-Signature-256', 'x_y.z', 'a'.repeat(100)])(
  '%s may be the name of the signature header',
  (name) => {
    expect(readSignatureHeader(name)).toBe(name);
  },
);

it.each(['Host', 'content-length', 'Pixctl-Event', 'a b', 'a:b', 'a\n', 'é', 'a'.repeat(101)])(
  '%j may not: it would not be sent, or not as it is',
  (name) => {
    expect(() => readSignatureHeader(name)).toThrow(
      expect.objectContaining({
        exit: 64,
        hint: 'Give the name alone, like Service-Signature, and none that pixctl decides itself, like Host.',
      }),
    );
  },
);

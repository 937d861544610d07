import { expect, it } from 'vitest';
import { createEditedDelivery } from '../../../src/listener/forwarding/edited-delivery.ts';

const received = [
  ['Host', 'localhost:4400'],
  ['content-length', '22'],
  ['Service-Signature', 't=1,v1=aa'],
] as const;
const edits = {
  body: new TextEncoder().encode('{"id":"evt_1","data":{"amount":5000}}'),
  edits: 'data.amount=5000',
  signature: 't=2,v1=bb',
  signatureHeader: 'Service-Signature',
  target: 'http://127.0.0.1:3000/',
};

it('an edited copy has the signature and the length of its own body, and is marked', () => {
  const copy = createEditedDelivery({ source: 'listener', headers: [...received] }, edits);
  expect(copy.headers).toEqual([
    ['Host', 'localhost:4400'],
    ['content-length', '37'],
    ['Service-Signature', 't=2,v1=bb'],
    ['Pixctl-Edited', 'data.amount=5000'],
  ]);
  // The inbox shows later what was changed, and where it went.
  expect(copy).toMatchObject({ origin: 'edited', edits: 'data.amount=5000', target: edits.target });
});

it('an edited copy gets no length if none was given', () => {
  const copy = createEditedDelivery(
    { source: 'listener', headers: [['Transfer-Encoding', 'chunked']] },
    edits,
  );
  expect(copy.headers.map(([name]) => name)).not.toContain('Content-Length');
});

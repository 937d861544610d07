/** What a listener says of its endpoint once it listens. */
import { expect, it } from 'vitest';
import type { ReadyLine } from '../../../../src/commands/webhook/listen/lines/lines.ts';
import { tellReady } from '../../../../src/commands/webhook/listen/ready.ts';
import { parseTargets } from '../../../../src/listener/posting/targets.ts';

const ready: ReadyLine = {
  type: 'ready',
  url: 'http://127.0.0.1:4400/',
  publicUrl: null,
  endpoint: 'wh_1',
  events: null,
  forwardTo: ['http://localhost:3000/'],
  ack: 'store',
  waiting: 0,
};
const nothingWaits = { own: 0, others: 0, countsForwards: false, unnamed: [] };
const targets = (routes: string[] = []) =>
  parseTargets({
    ...(routes.length === 0 ? { forwardTo: ['3000'] } : {}),
    ...{ routes, events: null, allowRemote: false },
  });
const elsewhere = (url: string) => [
  `It is registered for ${url}: deliveries go there, and come here only if that leads here.`,
];

it.each<[what: string, registeredFor: string | null, publicUrl: string | null, string[]]>([
  ['this very address', 'http://127.0.0.1:4400/', null, []],
  ['this machine by another name', 'http://localhost:4400/hooks', null, []],
  ['its public address', 'https://a.example/', 'https://a.example/hooks', []],
  ['an address that is not known', null, null, []],
  ['another port', 'http://127.0.0.1:4500/', null, elsewhere('http://127.0.0.1:4500/')],
  ['a tunnel that was not named', 'https://a.example/', null, elsewhere('https://a.example/')],
  ['another tunnel', 'https://a.example/', 'https://b.example/', elsewhere('https://a.example/')],
])('an endpoint that is registered for %s', (_what, registeredFor, publicUrl, expected) => {
  const said: string[] = [];
  const ingress = { localUrl: ready.url, publicUrl, registeredFor };
  tellReady(
    { note: (text) => said.push(text) },
    { ...ready, publicUrl },
    { ingress, waiting: nothingWaits, targets: targets() },
  );
  expect(said.filter((text) => text.includes('registered'))).toEqual(expected);
});

const told = (line: ReadyLine, waiting = nothingWaits, routes: string[] = []) => {
  const said: string[] = [];
  const { url: localUrl, publicUrl } = line;
  const ingress = { localUrl, publicUrl, registeredFor: null };
  tellReady({ note: (text) => said.push(text) }, line, { ingress, waiting, targets: targets(routes) });
  return said;
};

it('says where it listens, for which endpoint and events, and where it forwards', () => {
  const line: ReadyLine = {
    ...ready,
    ...{ publicUrl: 'https://a.example/', events: ['CHARGE_PAID', 'REFUND_COMPLETED'] },
    ...{ secret: 'whsec_1', uiUrl: 'http://127.0.0.1:4401/' },
  };
  expect(told(line)).toEqual([
    'Listening on http://127.0.0.1:4400/, reached at https://a.example/',
    'Endpoint wh_1, events: CHARGE_PAID, REFUND_COMPLETED',
    'Forwarding to http://localhost:3000/',
    'Signing secret: whsec_1',
    'Page: http://127.0.0.1:4401/',
    'Ctrl-C stops it.',
  ]);
});

it('of an endpoint for all events it says so, and of none at all nothing', () => {
  expect(told(ready)).toContain('Endpoint wh_1, events: all documented ones');
  const without = { ...ready, endpoint: null, forwardTo: [] };
  expect(told(without, { ...nothingWaits, own: 2, others: 1 })).toEqual([
    'Listening on http://127.0.0.1:4400/',
    'Nothing is forwarded (no --forward-to): events are only stored.',
    '1 event stored under other secrets: a listener with those secrets forwards them, and so does a replay.',
    'Ctrl-C stops it.',
  ]);
});

it('does not say that all from earlier runs is forwarded now where a route leaves some of it out', () => {
  const waiting = { ...nothingWaits, own: 2 };
  const left = '2 events from earlier runs are still to be forwarded; forwarding now';
  expect(told(ready, waiting)).toContain(`${left}.`);
  expect(told(ready, waiting, ['CHARGE_PAID=3000'])).toContain(
    `${left}, except what --events or --route leaves out.`,
  );
});

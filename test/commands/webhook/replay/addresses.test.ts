/** Where the events of a replay go, when they are many. */
import { expect, it } from 'vitest';
import { resolveAddresses } from '../../../../src/commands/webhook/replay/addresses.ts';
import type { Attempt } from '../../../../src/inbox/inbox.ts';

const attempt: Attempt = {
  number: 1,
  url: 'http://localhost:3000/',
  startedAt: 1_767_323_045_000,
  ms: 2,
  status: 200,
  error: null,
  answer: null,
  signature: 'original',
};
const chosen = Array.from({ length: 120 }, (_, at) => ({
  key: `in_${at}`,
  eventId: `evt_${at}`,
  source: 'abc',
  state: 'DELIVERED' as const,
  target: null,
}));

it('few of them are looked up at once, and each keeps its place', async () => {
  let underWay = 0;
  let most = 0;
  const attempts = async (key: string): Promise<Attempt[]> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return [{ ...attempt, url: `http://localhost:3000/${key}` }];
  };
  const addressed = await resolveAddresses({ attempts }, chosen, {
    forwardTo: null,
    allowRemote: false,
    choice: { failed: false },
  });
  expect(most).toBe(50);
  expect(addressed).toHaveLength(120);
  expect(addressed[119]).toEqual({
    key: 'in_119',
    eventId: 'evt_119',
    source: 'abc',
    url: 'http://localhost:3000/in_119',
    owedTo: null,
  });
});

it('none is looked up where an address was given', async () => {
  const attempts = () => Promise.reject(new Error('it was looked up'));
  const asked = { forwardTo: ['http://localhost:4000/'], allowRemote: false, choice: { failed: false } };
  const addressed = await resolveAddresses({ attempts }, chosen, asked);
  expect(new Set(addressed.map(({ url }) => url))).toEqual(new Set(['http://localhost:4000/']));
});

it.each([
  [
    'WAITING',
    'It waits for pixctl webhook listen, which forwards it to your application. With an address, like -f 3000, it goes there too.',
  ],
  ['NONE', 'Give one, like -f 3000.'],
] as const)(
  'one that no listener has tried has none, and if it is %s the hint is: %s',
  async (state, hint) => {
    const [first] = chosen;
    const asked = { forwardTo: null, allowRemote: false, choice: { failed: true } };
    const tried = resolveAddresses({ attempts: async () => [] }, first ? [{ ...first, state }] : [], asked);
    await expect(tried).rejects.toMatchObject({
      message: 'evt_0 was never forwarded, so there is no known address. Nothing was sent.',
      hint,
    });
  },
);

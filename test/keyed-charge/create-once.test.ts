/** What a keyed charge leaves in the ledger, wherever its run is held up or ends. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../src/api/client.ts';
import type { Charge } from '../../src/contract/charge.ts';
import { PixctlError, storageError } from '../../src/errors.ts';
import { createOnce } from '../../src/keyed-charge/create-once.ts';
import type { Dependencies } from '../../src/keyed-charge/dependencies.ts';
import { findChargeId } from '../../src/keyed-charge/dry-run.ts';
import {
  assertAgreesWithLedger,
  findKeyedIntent,
  resolveAsCharge,
  resolveAsNotCreated,
  undecidedError,
} from '../../src/keyed-charge/resolve.ts';
import type { Intent } from '../../src/ledger/intent.ts';
import { type MemoryLedger, memoryLedger } from '../support/memory-ledger.ts';
import { desk, key, scope } from '../withdrawal/desk.ts';

const charge = { id: 'chg_1', amount: 1050, createdAt: '2026-03-10T12:00:01Z' } as Charge;
const request = { scope, idempotencyKey: key('K1'), body: { method: 'PIX', amount: 1050 } } as const;

/** A run of its own against `ledger`. `post`: what happens to the POST once its first byte may leave. */
function run(ledger: MemoryLedger, post: () => Charge | Promise<Charge> = () => charge) {
  const it = desk(ledger);
  const sent: string[] = [];
  const listed: Charge[] = [];
  const api = {
    async call(_: string, __: unknown, { beforeFirstByte }: CallOptions) {
      beforeFirstByte?.();
      sent.push('POST');
      return post();
    },
    async *pages() {
      yield { items: listed };
    },
  } as unknown as Dependencies['api'];
  // Of its own: two runs of one ledger have no id in common.
  const dependencies: Dependencies = { ...it, api, newId: randomUUID };
  return { it, dependencies, sent, listed, create: () => createOnce(dependencies, request) };
}

const found = async (ledger: MemoryLedger) => (await ledger.find(scope, key('K1'))) as Intent;
const history = async (ledger: MemoryLedger) =>
  (await ledger.events(await found(ledger))).map(({ what }) => what);
const lost = () => {
  throw new PixctlError('unknown', 'LOST', 'no answer came');
};

describe('a keyed charge', () => {
  it('is SENDING and departed in the ledger before its first byte, and accepted before anybody is told', async () => {
    const ledger = memoryLedger();
    const seen: unknown[] = [];
    const { create } = run(ledger, async () => {
      const { state, departed } = await found(ledger);
      seen.push(state, departed);
      return charge;
    });
    expect(await create()).toEqual({ kind: 'created', charge });
    expect(seen).toEqual(['SENDING', true]);
    expect(await history(ledger)).toEqual(['planned', 'sending', 'departing', 'accepted']);
    expect(await create()).toEqual({ kind: 'replayed', chargeId: 'chg_1' });
  });

  it.each([
    [{ amount: 2000 }, 'another charge of R$ 10,50'],
    [{ description: 'Order 42, 09:15' }, 'another charge of R$ 10,50, with another --description'],
    [{ customerId: 'cust_2' }, 'another charge of R$ 10,50, with another --customer'],
    [{ expiresIn: 60 }, 'another charge of R$ 10,50, with another --expires-in'],
    [
      { amount: 1, customerId: 'cust_2', expiresIn: 60 },
      'another charge of R$ 10,50, with another --customer, and another --expires-in',
    ],
  ])('requested differently under its key, %j, is refused with what differs', async (other, what) => {
    const ledger = memoryLedger();
    const { create, dependencies, sent } = run(ledger);
    await create();
    const otherwise = { ...request, body: { ...request.body, ...other } } as const;
    const refusal = {
      kind: 'keyReused',
      code: 'KEY_REUSED',
      message: `The idempotency key K1 belongs to ${what}. Nothing was sent.`,
      hint: 'Use a key of its own for each charge. That one: pixctl charge get chg_1',
    };
    await expect(createOnce(dependencies, otherwise)).rejects.toMatchObject(refusal);
    await expect(findChargeId(dependencies, otherwise)).rejects.toMatchObject(refusal);
    expect(sent).toEqual(['POST']);
  });

  it('leaves even if its connection took long because a name server did not answer', async () => {
    const ledger = memoryLedger();
    const { it: slow, dependencies, sent } = run(ledger);
    const { call } = dependencies.api;
    dependencies.api.call = ((...given: Parameters<typeof call>) => {
      slow.time += 19_000;
      return call(...given);
    }) as typeof call;
    expect(await createOnce(dependencies, request)).toMatchObject({ kind: 'created' });
    expect(sent).toEqual(['POST']);
  });

  it('does not leave if it was held up for too long, and may then be sent again', async () => {
    const ledger = memoryLedger();
    const {
      it: held,
      create,
      sent,
    } = run({
      ...ledger,
      async markSending(...given) {
        const begun = await ledger.markSending(...given);
        held.time += 20_001;
        return begun;
      },
    });
    await expect(create()).rejects.toMatchObject({
      kind: 'later',
      code: 'HELD_UP',
      message: 'It took too long to connect, or this process was held up. Nothing was sent.',
    });
    expect([sent, (await found(ledger)).state]).toEqual([[], 'NOT_SENT']);
    expect(await run(ledger).create()).toMatchObject({ kind: 'created' });
  });

  it.each([true, false])(
    'is created by one of two that found it unsent (departures marked: %s)',
    async (departs) => {
      const ledger = memoryLedger({ departs });
      const first = run(ledger);
      const { create, sent } = run({
        ...ledger,
        async markSending(...given) {
          await first.create();
          return ledger.markSending(...given);
        },
      });
      await expect(create()).rejects.toMatchObject({ kind: 'later', code: 'BUSY' });
      expect([first.sent, sent]).toEqual([['POST'], []]);
      expect(await run(ledger).create()).toEqual({ kind: 'replayed', chargeId: 'chg_1' });
    },
  );

  it('does not leave once somebody has called it off, and leaves what they wrote', async () => {
    const ledger = memoryLedger();
    const {
      it: told,
      create,
      sent,
    } = run({
      ...ledger,
      async markSending(...given) {
        const begun = await ledger.markSending(...given);
        const off = { id: 'off', at: 0, what: 'called-off' };
        if (begun.kind === 'sending') await ledger.record(begun.intent, { state: 'NOT_SENT' }, off);
        return begun;
      },
    });
    await expect(create()).rejects.toMatchObject({ code: 'HELD_UP' });
    expect([sent, told.rescued]).toEqual([[], []]);
    expect(await history(ledger)).toEqual(['planned', 'sending', 'called-off']);
  });

  it('does not leave when its departure cannot be marked, and says why', async () => {
    const ledger = memoryLedger();
    const { create, sent } = run({
      ...ledger,
      markDeparted() {
        throw storageError('the disk is full');
      },
    });
    await expect(create()).rejects.toMatchObject({ kind: 'storage', message: 'the disk is full' });
    expect(sent).toEqual([]);
    expect(await found(ledger)).toMatchObject({ state: 'NOT_SENT', reason: 'STORAGE' });
    expect(await run(ledger).create()).toMatchObject({ kind: 'created' });
  });

  it('is known not to have been sent if SENDING was committed and only the confirmation was lost', async () => {
    const ledger = memoryLedger({ departs: false });
    const { create, sent } = run({
      ...ledger,
      async markSending(...given) {
        await ledger.markSending(...given);
        throw storageError('the connection was lost');
      },
    });
    await expect(create()).rejects.toMatchObject({ kind: 'storage' });
    expect(sent).toEqual([]);
    expect(await found(ledger)).toMatchObject({ state: 'NOT_SENT', reason: 'STORAGE' });
    expect(await run(ledger).create()).toMatchObject({ kind: 'created' });
  });

  it('says so when its answer cannot be written, and is not sent again', async () => {
    const ledger = memoryLedger();
    const full = async () => {
      throw storageError('the disk is full');
    };
    const { it: told, create } = run({ ...ledger, record: full });
    await expect(create()).rejects.toMatchObject({ kind: 'unknown', code: 'NOT_RECORDED' });
    expect(told.rescued).toEqual([
      'this could not be recorded in the ledger; keep this line: ' +
        '{"scope":"loja http://service","idempotencyKey":"K1","state":"ACCEPTED","chargeId":"chg_1","reason":null}',
    ]);
    expect((await found(ledger)).state).toBe('SENDING');
    const next = run(ledger);
    next.it.gone.add(1);
    await expect(next.create()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(next.sent).toEqual([]);
  });

  it.each([
    ['another amount', { amount: 1 }],
    ['another customer', { customer: { id: 'cust_2' } }],
  ])('answered with a charge of %s is unknown, and not sent again', async (_, more) => {
    const ledger = memoryLedger();
    const body = { ...request.body, customerId: 'cust_1' };
    const { dependencies, sent } = run(ledger, () => ({ ...charge, ...more }) as Charge);
    const create = () => createOnce(dependencies, { ...request, body });
    await expect(create()).rejects.toMatchObject({ kind: 'unknown', code: 'OUTCOME_UNKNOWN' });
    expect(await found(ledger)).toMatchObject({ state: 'UNKNOWN', resourceId: null });
    await expect(create()).rejects.toMatchObject({ kind: 'unknown' });
    expect(sent).toEqual(['POST']);
  });

  it.each([
    ['a failure that does not know of the byte', new PixctlError('later', 'NOT_REACHED', 'not reached')],
    ['what is no failure of the service', new TypeError('a bug')],
  ])('that ends after its first byte with %s is unknown, and not sent again', async (_, failure) => {
    const ledger = memoryLedger();
    const { create, sent } = run(ledger, () => Promise.reject(failure));
    await expect(create()).rejects.toThrow();
    expect((await found(ledger)).state).toBe('UNKNOWN');
    await expect(create()).rejects.toMatchObject({ kind: 'unknown', code: 'OUTCOME_UNKNOWN' });
    expect(sent).toEqual(['POST']);
  });

  it.each([
    ['what is no failure of the service', new TypeError('a part of the program is gone')],
    ['a failure that says more than it can know', new PixctlError('unexpected', 'CONTRACT', 'no answer')],
  ])('that ends before its first byte with %s was not sent, and may be sent again', async (_, failure) => {
    const ledger = memoryLedger();
    const { dependencies, sent } = run(ledger);
    dependencies.api.call = () => Promise.reject(failure);
    await expect(createOnce(dependencies, request)).rejects.toBe(failure);
    expect([(await found(ledger)).state, sent]).toEqual(['NOT_SENT', []]);
    expect(await run(ledger).create()).toMatchObject({ kind: 'created' });
  });

  describe('that a run on another host, whose clock is an hour ahead, takes for ended', () => {
    /** What that run ends with, and what it does next. */
    const elsewhere = async (ledger: MemoryLedger, next: (dependencies: Dependencies) => Promise<void>) => {
      const other = run(ledger);
      other.it.time += 3_600_000;
      const owners = {
        ...other.it.owners,
        self: { host: 'x', boot: 'x', pid: 1, started: '1' },
        liveness: async () => 'elsewhere' as const,
      };
      const dependencies = { ...other.dependencies, owners };
      await expect(createOnce(dependencies, request)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      await next(dependencies);
      expect(other.sent).toEqual([]);
    };
    const agree = async () => {};

    it.each([
      ['nothing more', async () => {}],
      [
        'a person says that it was not created',
        async (dependencies: Dependencies) => {
          const intent = await findKeyedIntent(dependencies, scope, key('K1'));
          await resolveAsNotCreated(dependencies, intent, { allowDuplicate: false, agree });
        },
      ],
    ])('still stands for the charge of its answer: %s', async (_, next) => {
      const ledger = memoryLedger();
      const { create, it: told } = run(ledger, async () => {
        await elsewhere(ledger, next);
        return charge;
      });
      expect(await create()).toEqual({ kind: 'created', charge });
      expect(told.rescued).toEqual([]);
      expect((await history(ledger)).at(-1)).toBe('late-accepted');
      expect(await run(ledger).create()).toEqual({ kind: 'replayed', chargeId: 'chg_1' });
    });

    it('is refused by what the service answered', async () => {
      const ledger = memoryLedger();
      const refusal = new PixctlError('refused', 'BAD_REQUEST', 'charges are disabled', { httpStatus: 400 });
      const { create } = run(ledger, async () => {
        await elsewhere(ledger, async () => {});
        throw refusal;
      });
      await expect(create()).rejects.toBe(refusal);
      expect(await found(ledger)).toMatchObject({ state: 'REFUSED', reason: 'BAD_REQUEST' });
    });

    it('leaves what a person has named', async () => {
      const named = { ...charge, id: 'chg_9' };
      const ledger = memoryLedger();
      const { create, it: told } = run(ledger, async () => {
        await elsewhere(ledger, async (dependencies) => {
          await resolveAsCharge(
            dependencies,
            await findKeyedIntent(dependencies, scope, key('K1')),
            named,
            agree,
          );
        });
        return charge;
      });
      await expect(create()).rejects.toMatchObject({ kind: 'unknown', code: 'NOT_RECORDED' });
      expect(told.rescued.join()).toContain('"chargeId":"chg_1"');
      expect(await found(ledger)).toMatchObject({ state: 'ACCEPTED', resourceId: 'chg_9' });
    });

    it.each([
      ['later', 200_000, 1],
      ['at the same time by the clock of another process', 0, 2],
    ])('leaves another send of the key, %s', async (_, ms, pid) => {
      const again = memoryLedger();
      const first = run(again, async () => {
        await elsewhere(again, async (dependencies) => {
          const intent = await findKeyedIntent(dependencies, scope, key('K1'));
          await resolveAsNotCreated(dependencies, intent, { allowDuplicate: false, agree });
          const late = run(again, lost);
          late.it.time += ms;
          Object.assign(late.it.owners.self, { pid });
          await expect(late.create()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
        });
        return charge;
      });
      await expect(first.create()).rejects.toMatchObject({ kind: 'unknown', code: 'NOT_RECORDED' });
      expect(await found(again)).toMatchObject({ state: 'UNKNOWN', resourceId: null });
    });
  });

  it("answered with the id of another key's charge is unknown", async () => {
    const ledger = memoryLedger();
    const { dependencies, create } = run(ledger);
    await createOnce(dependencies, { ...request, idempotencyKey: key('K0') });
    await expect(create()).rejects.toMatchObject({
      kind: 'unknown',
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringMatching(
        /the answer names chg_\w+, which belongs to another key\. It will not be sent/,
      ),
      httpStatus: 201,
    });
    expect(await found(ledger)).toMatchObject({ state: 'UNKNOWN', resourceId: null, reason: 'ID_CLAIMED' });
  });

  it.each([
    ['can mark departures: that no byte left is proven', true, 'would be sent', 'created'],
    ['cannot: it is not known', false, 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'],
  ])('whose process was gone before its first byte, where the ledger %s', async (_, departs, dry, end) => {
    const ledger = memoryLedger({ departs });
    const first = run(ledger);
    const stuck = { ...first.dependencies.api, call: () => new Promise<never>(() => {}) };
    void createOnce({ ...first.dependencies, api: stuck as Dependencies['api'] }, request);
    await expect.poll(async () => (await found(ledger))?.state).toBe('SENDING');
    await expect(run(ledger).create()).rejects.toMatchObject({ code: 'BUSY' });
    await expect(findChargeId(run(ledger).dependencies, request)).rejects.toMatchObject({ code: 'BUSY' });
    const next = run(ledger);
    next.it.gone.add(1);
    const foretold = await findChargeId(next.dependencies, request).then(
      (id) => id ?? 'would be sent',
      ({ code }) => code,
    );
    expect([foretold, (await found(ledger)).state]).toEqual([dry, 'SENDING']);
    const told = await next.create().then(
      ({ kind }) => kind,
      ({ code }) => code,
    );
    expect(told).toBe(end);
  });
});

describe('a word about a keyed charge whose answer was lost', () => {
  async function unknown() {
    const ledger = memoryLedger();
    const { it, dependencies, listed, create } = run(ledger, lost);
    await expect(create()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    const intent = await findKeyedIntent(dependencies, scope, key('K1'));
    return { ledger, it, dependencies, listed, intent };
  }

  it('is asked for only if everything that can be checked agrees', async () => {
    const { dependencies, intent, listed, it: later } = await unknown();
    const words: string[] = [];
    const agree = async () => void words.push('asked');
    const notCreated = () => resolveAsNotCreated(dependencies, intent, { allowDuplicate: false, agree });
    await expect(notCreated()).rejects.toMatchObject({ code: 'NOT_SETTLED' });
    later.time += 95_000;
    listed.push(charge);
    await expect(notCreated()).rejects.toMatchObject({ code: 'CANDIDATES' });
    await expect(
      resolveAsCharge(dependencies, intent, { ...charge, amount: 1 } as Charge, agree),
    ).rejects.toMatchObject({ kind: 'usage' });
    expect(words).toEqual([]);
  });

  it('that it does not exist is accepted from the end of the settle time, and not a second before', async () => {
    const { dependencies, intent, it: later } = await unknown();
    const notCreated = () =>
      resolveAsNotCreated(dependencies, intent, { allowDuplicate: false, agree: async () => {} });
    // Five seconds to its first byte, 30 for its answer, and a minute.
    later.time += 94_000;
    await expect(notCreated()).rejects.toMatchObject({ code: 'NOT_SETTLED', hint: 'Ask again in 1 s.' });
    later.time += 1_000;
    await notCreated();
    expect((await dependencies.ledger.find(scope, key('K1')))?.state).toBe('NOT_SENT');
    expect((await dependencies.ledger.events(intent)).at(-1)).toMatchObject({
      what: 'resolved',
      details: { by: 'person', as: 'not-created' },
    });
  });

  it('decides nothing while it is being sent', async () => {
    const ledger = memoryLedger();
    const { dependencies, create } = run(ledger, async () => {
      await expect(findKeyedIntent(dependencies, scope, key('K1'))).rejects.toMatchObject({ kind: 'later' });
      return charge;
    });
    expect(await create()).toEqual({ kind: 'created', charge });
  });

  it.each([
    [1, 'chg_1', '--charge chg_1'],
    [7, 'chg_1, chg_2, chg_3, chg_4, chg_5, and 2 more', '--charge <id>'],
  ])(
    'that it does not exist is told of %i that may be it, and picks none of several',
    async (count, named, choice) => {
      const { dependencies, intent, listed, it: later } = await unknown();
      later.time += 95_000;
      for (let n = 1; n <= count; n++) listed.push({ ...charge, id: `chg_${n}` });
      const word = { allowDuplicate: false, agree: async () => {} };
      await expect(resolveAsNotCreated(dependencies, intent, word)).rejects.toMatchObject({
        message: `The service lists charges that may be this one: ${named}. Nothing was changed.`,
        hint: expect.stringContaining(`pixctl charge resolve K1 ${choice}; if it is none:`),
      });
    },
  );

  it.each([
    ['left out', {}, 'candidate'],
    ['the same', { customer: { id: 'cust_1' } }, 'candidate'],
    ['no longer shown', { customer: null }, 'candidate'],
    ['another', { customer: { id: 'cust_2' } }, 'stranger'],
  ])('takes a charge whose customer, in the list, is %s for a %s', async (_, customer, expected) => {
    const { dependencies, listed, it: later } = run(memoryLedger(), lost);
    const body = { ...request.body, customerId: 'cust_1' };
    await expect(createOnce(dependencies, { ...request, body })).rejects.toThrow();
    const intent = await findKeyedIntent(dependencies, scope, key('K1'));
    later.time += 95_000;
    const one = { ...charge, ...customer } as Charge;
    listed.push(one);
    const agree = async () => {};
    const named = await resolveAsCharge(dependencies, intent, one, async () => {
      throw new Error('candidate');
    }).catch(({ message }) => (message.includes('for another customer') ? 'stranger' : message));
    expect(named).toBe(expected);
    const word = resolveAsNotCreated(dependencies, intent, { allowDuplicate: false, agree });
    if (expected === 'candidate') await expect(word).rejects.toMatchObject({ code: 'CANDIDATES' });
    else await word;
  });

  it('is refused while a charge may be it, whose creation time may be off, but not for an older one', async () => {
    const { dependencies, intent, listed, it: later } = await unknown();
    later.time += 95_000;
    const created = (createdAt: string) => ({ ...charge, createdAt });
    const agree = async () => {};
    const old = created('2026-03-09T11:59:59Z');
    await expect(resolveAsCharge(dependencies, intent, old, agree)).rejects.toThrow(
      'it was created before this request was sent',
    );
    const notCreated = () => resolveAsNotCreated(dependencies, intent, { allowDuplicate: false, agree });
    for (const time of ['2026-03-09T12:00:00Z', '2026-03-10T09:00:00', 'once']) {
      listed.splice(0, 9, old, created(time));
      await expect(notCreated()).rejects.toMatchObject({ code: 'CANDIDATES' });
    }
    listed.splice(0, 9, old);
    await notCreated();
    expect((await dependencies.ledger.find(scope, key('K1')))?.state).toBe('NOT_SENT');
  });

  describe('after its clock, which was a month ahead, has been set right', () => {
    const month = 30 * 24 * 3_600_000;
    const setRight = async () => {
      const after = await unknown();
      after.it.time -= month;
      after.it.setAhead -= month;
      after.it.time += 95_000;
      const created = (createdAt: string) => ({ ...charge, createdAt });
      return { ...after, made: created('2026-02-08T12:00:00Z'), old: created('2026-02-07T11:59:59Z') };
    };
    const word = (dependencies: Dependencies, intent: Intent) =>
      resolveAsNotCreated(dependencies, intent, { allowDuplicate: false, agree: async () => {} });

    it("is looked for from when it was sent, by the machine's uptime", async () => {
      const { dependencies, intent, listed, made, old } = await setRight();
      await expect(resolveAsCharge(dependencies, intent, old, async () => {})).rejects.toThrow(
        'created before',
      );
      listed.splice(0, 9, old, made);
      await expect(word(dependencies, intent)).rejects.toMatchObject({ code: 'CANDIDATES' });
      listed.splice(0, 9, old);
      await word(dependencies, intent);
    });

    it('and the machine restarted, is looked for among all of them', async () => {
      const { dependencies, intent, listed, old } = await setRight();
      const { owners } = dependencies;
      const self = { ...owners.self, boot: 'b2' };
      const started = { ...dependencies, owners: { ...owners, self, uptime: () => 95_000 } };
      listed.splice(0, 9, old);
      await expect(word(started, intent)).rejects.toMatchObject({ code: 'CANDIDATES' });
      await resolveAsCharge(started, intent, old, async () => {});
    });

    it('and on another machine, says why nobody can tell how long ago it was sent', async () => {
      const { dependencies, intent } = await setRight();
      const { owners } = dependencies;
      const elsewhere = {
        ...dependencies,
        owners: { ...owners, self: { ...owners.self, host: 'x', boot: 'x' } },
      };
      await expect(word(elsewhere, intent)).rejects.toMatchObject({
        ...{ kind: 'later', code: 'NOT_SETTLED' },
        message:
          "The charge with the key K1: it was sent at 2026-03-10T12:00:00.000Z, which is in the future by this machine's clock, so nobody can tell how long ago that was. Nothing was changed.",
        hint: 'If the clock is behind now, correct it and ask again. If it was ahead then, this can be said from 2026-03-10T12:01:35.000Z on.',
      });
    });
  });

  it('shows the time at which it was sent, by which a person finds the charge', async () => {
    const { create } = run(memoryLedger(), lost);
    await expect(create()).rejects.toMatchObject({
      message: expect.stringContaining(
        'The charge of R$ 10,50 with the key K1 was sent at 2026-03-10T12:00:00.000Z, and it is not known whether it exists',
      ),
      hint: 'List the candidates, and settle it: pixctl charge resolve K1',
    });
  });

  it.each([
    ['chg_1', {}, null],
    ['chg_1', { charge: 'chg_1' }, null],
    ['chg_1', { charge: 'chg_2' }, 'chg_1'],
    ['chg_1', { notCreated: true }, 'chg_1'],
    [null, {}, null],
    [null, { notCreated: true }, null],
    [null, { charge: 'chg_1' }, 'no charge'],
  ])('of which the ledger knows %j stands only if it agrees: %j', async (resourceId, word, known) => {
    const { intent } = await unknown();
    const state = resourceId === null ? 'NOT_SENT' : 'ACCEPTED';
    const check = () => assertAgreesWithLedger({ ...intent, resourceId, state }, word);
    if (known === null) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({
          exit: 64,
          message: `The outcome of the key K1 is known already: ${known} (${state}). Nothing was changed.`,
        }),
      );
  });

  it('does not overrule what another process has been told meanwhile', async () => {
    const { ledger, dependencies, intent, it: later } = await unknown();
    later.time += 95_000;
    const agree = async () => {};
    await resolveAsCharge(dependencies, intent, charge, agree);
    const busy = { kind: 'later', code: 'BUSY' };
    await expect(
      resolveAsNotCreated(dependencies, intent, { allowDuplicate: false, agree }),
    ).rejects.toMatchObject(busy);
    await expect(
      resolveAsCharge(dependencies, intent, { ...charge, id: 'chg_2' } as Charge, agree),
    ).rejects.toMatchObject(busy);
    expect(await found(ledger)).toMatchObject({ state: 'ACCEPTED', resourceId: 'chg_1' });
  });

  it('changes nothing until it is given', async () => {
    const { ledger, dependencies, intent, it: later } = await unknown();
    later.time += 95_000;
    const no = async () => {
      throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed.');
    };
    const refused = { code: 'NOT_CONFIRMED' };
    await expect(resolveAsCharge(dependencies, intent, charge, no)).rejects.toMatchObject(refused);
    await expect(
      resolveAsNotCreated(dependencies, intent, { allowDuplicate: true, agree: no }),
    ).rejects.toMatchObject(refused);
    expect((await found(ledger)).state).toBe('UNKNOWN');
    await resolveAsCharge(dependencies, intent, charge, async () => {});
    expect(await found(ledger)).toMatchObject({ state: 'ACCEPTED', resourceId: 'chg_1', inferred: true });
    expect((await ledger.events(intent)).at(-1)).toMatchObject({
      what: 'resolved',
      details: { by: 'person', chargeId: 'chg_1', host: dependencies.owners.self.host },
    });
  });

  it.each([
    [0, '', '--not-created'],
    [2, 'If it is one of them: pixctl charge resolve K1 --charge <id>. ', '--not-created --allow-duplicate'],
  ])('is asked for with %i candidates by a line that is then accepted', async (count, choice, words) => {
    const { dependencies, intent, listed, it: later } = await unknown();
    for (let n = 1; n <= count; n++) listed.push({ ...charge, id: `chg_${n}` });
    const hint = (when: string) =>
      `${choice}If it does not exist: pixctl charge resolve K1 ${words}${when}, then run the same command again.`;
    const asked = () => undecidedError(dependencies, intent, count);
    expect(await asked()).toMatchObject({ exit: 81, hint: hint(' (possible in 95 s)') });
    later.time += 95_000;
    expect(await asked()).toMatchObject({ exit: 81, hint: hint('') });
    const allowDuplicate = words.includes('--allow-duplicate');
    await resolveAsNotCreated(dependencies, intent, { allowDuplicate, agree: async () => {} });
  });
});

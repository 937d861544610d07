import { describe, expect, it } from 'vitest';
import { createFaults } from '../../../src/sandbox/faults/faults.ts';
import { type PresetName, presets } from '../../../src/sandbox/faults/presets.ts';

const at = (time = 0) => {
  const clock = { time };
  return { clock, faults: createFaults(() => clock.time) };
};
const circle: unknown[] = [];
circle.push(circle);
const create = { operation: 'createCharge', query: {} } as const;
const list = { operation: 'listCharges', query: {} } as const;

describe('which calls a rule matches', () => {
  it('fires on the operation that it names and on no other', () => {
    const { faults } = at();
    faults.add({ target: 'api', operations: ['createCharge'], effect: { kind: 'reset' } });
    expect(faults.planCall(list).before).toBeNull();
    expect(faults.planCall(create).before).toEqual({ kind: 'reset' });
  });

  it('fires on every route when it names none', () => {
    const { faults } = at();
    faults.add({ target: 'api', effect: { kind: 'reset' } });
    expect(faults.planCall({ operation: null, query: {} }).before).toEqual({ kind: 'reset' });
  });

  it('fires on the nth match only', () => {
    const { faults } = at();
    faults.add({ target: 'api', effect: { kind: 'reset' }, nth: 3 });
    expect([1, 2, 3, 4].map(() => faults.planCall(create).before?.kind ?? 'none')).toEqual([
      'none',
      'none',
      'reset',
      'none',
    ]);
    expect(faults.list()).toMatchObject([{ matched: 3, fired: 1, spent: true }]);
  });

  it.each([
    [
      { kind: 'reset', when: 'after' },
      { after: { kind: 'reset' }, truncate: false },
    ],
    [{ kind: 'truncate' }, { after: null, truncate: true }],
  ] as const)(
    'that answers with %o takes precedence over a later one, which is not used up',
    (effect, plan) => {
      const { faults } = at();
      faults.add({ target: 'api', effect, times: 1 });
      faults.add({ target: 'api', effect: { kind: 'error', status: 500, when: 'after' }, times: 1 });
      expect(faults.planCall(create)).toMatchObject({ ...plan, before: null, fired: ['fault_1'] });
      expect(faults.planCall(create)).toMatchObject({ after: { kind: 'answer' }, fired: ['fault_2'] });
    },
  );

  it('spends its budget and then rests', () => {
    const { faults } = at();
    faults.add({ target: 'api', effect: { kind: 'reset' }, times: 2 });
    expect([1, 2, 3].map(() => faults.planCall(create).fired.length)).toEqual([1, 1, 0]);
    expect(faults.list()).toMatchObject([{ matched: 2, fired: 2, spent: true }]);
  });

  it('is forgotten once it is spent and a hundred others were spent after it, while what is in force stays', () => {
    const { faults } = at();
    const latency = { kind: 'latency', ms: 1 } as const;
    faults.add({ target: 'api', operations: ['listCharges'], effect: latency });
    for (let n = 0; n < 150; n += 1) {
      faults.add({ target: 'api', effect: latency, times: 1 });
      faults.planCall(create);
    }
    faults.add({ target: 'api', effect: latency });
    const ids = faults.list().map(({ id }) => id);
    expect([ids.length, ids[0], ids[1], ids.at(-1)]).toEqual([102, 'fault_1', 'fault_52', 'fault_152']);
    expect(faults.planCall(list).fired).toEqual(['fault_1', 'fault_152']);
  });

  it('ends after its time on the sandbox clock', () => {
    const { clock, faults } = at(1_000);
    faults.preset('deploy-30s');
    clock.time = 30_999;
    expect(faults.planCall(create).before).toMatchObject({ kind: 'answer', answer: { status: 502 } });
    clock.time = 31_000;
    expect(faults.planCall(create).before).toBeNull();
  });

  it('draws the same luck from the same seed, and about as much as asked for', () => {
    const draws = (seed: number) => {
      const { faults } = at();
      faults.add({ target: 'api', effect: { kind: 'reset' }, probability: 0.25, seed });
      return Array.from({ length: 400 }, () => faults.planCall(create).fired.length).join('');
    };
    expect(draws(7)).toBe(draws(7));
    expect(draws(7)).not.toBe(draws(8));
    const fired = draws(7).replaceAll('0', '').length;
    expect(fired).toBeGreaterThan(70);
    expect(fired).toBeLessThan(130);
  });

  it('has its own luck among the rules in force, and the same again once they are cleared', () => {
    const { faults } = at();
    const draws = () => {
      faults.add({ target: 'api', effect: { kind: 'latency', ms: 1 }, probability: 0.5 });
      faults.add({ target: 'api', effect: { kind: 'latency', ms: 2 }, probability: 0.5 });
      const waits = Array.from({ length: 200 }, () => faults.planCall(create).latencyMs);
      expect(faults.list().map(({ rule }) => rule.seed)).toEqual([1, 2]);
      faults.clear();
      return waits;
    };
    const first = draws();
    for (const wait of [0, 1, 2, 3]) expect(first.filter((it) => it === wait).length).toBeGreaterThan(25);
    expect(draws()).toEqual(first);
  });

  it('keeps a second substitute for the next call, and adds waits up', () => {
    const { faults } = at();
    faults.add({ target: 'api', effect: { kind: 'reset' }, times: 1 });
    faults.add({ target: 'api', effect: { kind: 'html' }, times: 1 });
    faults.add({ target: 'api', effect: { kind: 'latency', ms: 5 }, times: 1 });
    faults.add({ target: 'api', effect: { kind: 'latency', ms: 7 }, times: 1 });
    expect(faults.planCall(create)).toMatchObject({ latencyMs: 12, before: { kind: 'reset' } });
    expect(faults.planCall(create)).toMatchObject({ latencyMs: 0, before: { kind: 'answer' } });
  });

  it('does not use up the refusal of a cursor if something else took its place', () => {
    const { faults } = at();
    faults.add({ target: 'api', effect: { kind: 'reset' }, times: 1 });
    faults.add({ target: 'api', effect: { kind: 'stale-cursor' }, times: 1 });
    const second = { operation: 'listCharges', query: { after: 'c' } } as const;
    expect(faults.planCall(second)).toMatchObject({ before: { kind: 'reset' }, fired: ['fault_1'] });
    expect(faults.planCall(second)).toMatchObject({ before: { kind: 'answer' }, fired: ['fault_2'] });
  });

  it('is cleared by id, or all at once', () => {
    const { faults } = at();
    const first = faults.add({ target: 'api', effect: { kind: 'reset' } });
    faults.preset('duplicate-storm');
    faults.preset('flaky');
    expect(faults.clear(first.id)).toBe(1);
    expect(faults.clear('fault_99')).toBe(0);
    expect(faults.clear()).toBe(2);
    expect(faults.list()).toEqual([]);
  });

  it.each([
    [{ target: 'api', effect: { kind: 'explode' } }],
    [{ target: 'api', operations: ['createFoo'], effect: { kind: 'reset' } }],
    [{ target: 'delivery', effect: { kind: 'html' } }],
    [{ target: 'api', effect: { kind: 'reset' }, time: 1 }],
    [{ target: 'api', effect: { kind: 'reset' }, probability: 2 }],
  ])('refuses %o', (rule) => {
    expect(() => at().faults.add(rule as never)).toThrow(/not understood/);
  });

  it.each([
    ['a BigInt', 1n],
    ['what holds itself', circle],
    ['what is nested deeply', JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)],
  ])('refuses %s as the value of a field, which no answer could hold', (_, value) => {
    const rule = { target: 'api', effect: { kind: 'unknown-field', value } } as const;
    expect(() => at().faults.add(rule)).toThrow(
      'this fault rule is not understood: effect.value: must be JSON of at most 4096 characters',
    );
  });

  it.each([
    [{ target: 'deliveries', effect: { kind: 'duplicate' } }, 'target: must be "api" or "delivery"'],
    [
      { target: 'delivery', effect: { kind: 'html' } },
      'effect.kind: must be "duplicate" or "reorder" or "delay" or "bad-signature" or "wrong-secret" or "stale-timestamp" or "future-timestamp" or "reserialise"',
    ],
    [{ target: 'api', effect: 'reset' }, 'effect: must be a JSON object'],
  ])('says what is allowed where %o has something else', (rule, problem) => {
    expect(() => at().faults.add(rule as never)).toThrow(`this fault rule is not understood: ${problem}`);
  });

  it.each([204, 205, 304])('refuses a page with %i, whose answers have no body', (status) => {
    expect(() => at().faults.add({ target: 'api', effect: { kind: 'html', status } })).toThrow(
      'effect.status: must be a status with a body: an answer with 204, 205, 304 has none',
    );
  });

  it.each([
    [{ times: 0 }, 'times: must be at least 1'],
    [{ probability: 2 }, 'probability: must be at most 1'],
    [{ probability: 'often' }, 'probability: must be a number'],
    [{ time: 1 }, 'time: is not an allowed property'],
    [{ forMs: 366 * 86_400_000 + 1 }, 'forMs: must be at most 31622400000'],
  ])('says what is wrong with %o, and where to find the rest', (terms, problem) => {
    const rule = { target: 'api', effect: { kind: 'reset' }, ...terms };
    expect(() => at().faults.add(rule as never)).toThrow(
      expect.objectContaining({
        message: `this fault rule is not understood: ${problem}`,
        hint: expect.stringMatching(/^pixctl help sandbox fault add /),
      }),
    );
  });

  it.each(['stale-timestamp', 'future-timestamp'] as const)(
    'refuses a %s of more than ten years, which no signature may be able to hold',
    (kind) => {
      const rule = { target: 'delivery', effect: { kind, seconds: 3_650 * 86_400 + 1 } } as const;
      expect(() => at().faults.add(rule)).toThrow('effect.seconds: must be at most 315360000');
    },
  );

  it('lists a rule that lasts as long as any may', () => {
    const { faults } = at();
    faults.add({ target: 'api', effect: { kind: 'reset' }, forMs: 366 * 86_400_000 });
    expect(faults.list()).toMatchObject([{ spent: false, endsAt: expect.stringMatching(/Z$/) }]);
  });

  it.each(Object.keys(presets))('knows the preset %s, and lists its rules under that name', (name) => {
    const { faults } = at();
    expect(faults.preset(name as PresetName).map((fault) => fault.rule.preset)).toContain(name);
  });

  it('names the presets when one is not known', () => {
    for (const [name, problem] of [
      ['rate-limit', '"rate-limit"; did you mean rate-limited? There are lost-response, lost-request, '],
      ['earthquake', '"earthquake". There are lost-response, lost-request, '],
      [5n, '5. There are lost-response, '],
      [Object.create(null), ''],
    ])
      expect(() => at().faults.preset(name)).toThrow(`there is no fault preset ${problem}`);
  });
});

describe('what a rule does to a call', () => {
  const planned = (effect: object) => {
    const { faults } = at();
    faults.add({ target: 'api', effect } as never);
    return faults.planCall(list);
  };

  it.each([
    [{ status: 500 }, 'INTERNAL_ERROR', 'unexpected server error'],
    [{ status: 503 }, 'INTERNAL_ERROR', 'unexpected server error'],
    [{ status: 400, code: 'SOMETHING' }, 'SOMETHING', 'refused with SOMETHING by a fault of the sandbox'],
    [{ status: 400, message: 'as asked' }, 'BAD_REQUEST', 'as asked'],
  ])('an error from %o is answered as %s, "%s"', (asked, code, message) => {
    const { before } = planned({ kind: 'error', ...asked });
    if (before?.kind !== 'answer') throw new Error('no answer');
    expect(before.answer.status).toBe(asked.status);
    expect(before.answer.body).toEqual({ code, message });
  });

  it('sends Retry-After only when it was given', () => {
    const headers = (effect: object) => {
      const { before } = planned(effect);
      return before?.kind === 'answer' ? before.answer.headers['retry-after'] : 'no answer';
    };
    expect(headers({ kind: 'rate-limit', retryAfter: 2 })).toBe('2');
    expect(headers({ kind: 'rate-limit' })).toBeUndefined();
  });

  it('refuses no first page for a stale cursor', () => {
    expect(planned({ kind: 'stale-cursor' }).before).toBeNull();
  });

  it('adds what the document does not show, to items and to each item of a list', () => {
    const { faults } = at();
    faults.preset('beta-change');
    const { rewrite } = faults.planCall(create);
    const grown = { status: 'UNDER_REVIEW', addedInBeta: 'a field that the document does not show' };
    expect(rewrite({ data: { id: 1, status: 'PAID' } }).data).toEqual({ id: 1, ...grown });
    expect(rewrite({ data: [{ status: 'PAID' }] }).data).toEqual([grown]);
  });
});

describe('what a rule does to a delivery', () => {
  const paid = { event: 'CHARGE_PAID', endpoint: 'wh_1' };

  it('matches by event and by endpoint', () => {
    const { faults } = at();
    faults.add({
      target: 'delivery',
      events: ['CHARGE_PAID'],
      endpoint: 'wh_1',
      effect: { kind: 'duplicate' },
    });
    expect(faults.planAttempt({ event: 'REFUND_COMPLETED', endpoint: 'wh_1' }).copies).toBe(0);
    expect(faults.planAttempt({ event: 'CHARGE_PAID', endpoint: 'wh_2' }).copies).toBe(0);
    expect(faults.planAttempt(paid).copies).toBe(1);
  });

  it('decides about the schedule once and about each attempt anew', () => {
    const { faults } = at();
    faults.add({ target: 'delivery', effect: { kind: 'delay', ms: 100 }, times: 1 });
    faults.add({ target: 'delivery', effect: { kind: 'stale-timestamp', seconds: 60 } });
    faults.add({ target: 'delivery', effect: { kind: 'wrong-secret' }, nth: 2 });
    expect(faults.planAttempt(paid)).toMatchObject({ signature: 'right', skewSeconds: -60 });
    expect(faults.planSchedule(paid)).toMatchObject({ delayMs: 100, releasedByNext: false });
    expect(faults.planAttempt(paid)).toMatchObject({ signature: 'wrong-secret', skewSeconds: -60 });
    expect(faults.planSchedule(paid).delayMs).toBe(0);
  });
});

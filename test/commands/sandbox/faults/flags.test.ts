import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FaultFlags, faultBody } from '../../../../src/commands/sandbox/faults/flags.ts';
import { parameters } from '../../../../src/commands/sandbox/faults/parameters.ts';
import { apiEffects, deliveryEffects } from '../../../../src/sandbox/faults/effects.ts';
import { createFaults } from '../../../../src/sandbox/faults/faults.ts';
import { type PresetName, presets } from '../../../../src/sandbox/faults/presets.ts';

describe('the flags of `sandbox fault add`', () => {
  it.each<[FaultFlags, object]>([
    [{ preset: 'lost-response' }, { preset: 'lost-response' }],
    [
      { preset: 'lost-response', on: 'createWithdrawal', times: '2' },
      { preset: 'lost-response', operations: ['createWithdrawal'], times: 2 },
    ],
    [
      { effect: 'reset', when: 'after', on: 'POST /withdrawals', nth: '3' },
      { target: 'api', effect: { kind: 'reset', when: 'after' }, operations: ['createWithdrawal'], nth: 3 },
    ],
    [
      { effect: 'error', status: '403', code: 'FORBIDDEN', probability: '0.5', seed: '7' },
      { target: 'api', effect: { kind: 'error', status: 403, code: 'FORBIDDEN' }, probability: 0.5, seed: 7 },
    ],
    [
      { effect: 'html', status: '302', location: 'https://example.com/', body: '' },
      { target: 'api', effect: { kind: 'html', status: 302, location: 'https://example.com/', body: '' } },
    ],
    [
      { effect: 'rate-limit', retryAfter: '30s', for: '5m' },
      { target: 'api', effect: { kind: 'rate-limit', retryAfter: 30 }, forMs: 300_000 },
    ],
    [
      { effect: 'latency', wait: '2s' },
      { target: 'api', effect: { kind: 'latency', ms: 2_000 } },
    ],
    [
      { effect: 'duplicate', copies: '4', on: 'CHARGE_PAID,REFUND_COMPLETED' },
      {
        target: 'delivery',
        effect: { kind: 'duplicate', copies: 4 },
        events: ['CHARGE_PAID', 'REFUND_COMPLETED'],
      },
    ],
    [
      { effect: 'stale-timestamp', skew: '10m', on: 'wh_1' },
      { target: 'delivery', effect: { kind: 'stale-timestamp', seconds: 600 }, endpoint: 'wh_1' },
    ],
    [
      { effect: 'unknown-status', value: 'FROZEN' },
      { target: 'api', effect: { kind: 'unknown-status', value: 'FROZEN' } },
    ],
    [
      { effect: 'unknown-field', name: 'note', value: '' },
      { target: 'api', effect: { kind: 'unknown-field', name: 'note', value: '' } },
    ],
  ])('%o', (flags, body) => {
    expect(faultBody(flags)).toEqual(body);
  });

  it.each<[FaultFlags, RegExp]>([
    [{}, /--preset <name> or --effect <name>/],
    [{ effect: 'explode' }, /no effect "explode"/],
    [{ preset: 'slow', effect: 'reset' }, /--effect does not go with it/],
    [{ preset: 'slow', retryAfter: '1s' }, /--retry-after does not go with it/],
    [{ effect: 'error', body: '{}' }, /--body does not go with --effect error/],
    [{ effect: 'html', location: 'a b' }, /--location must be an address without spaces/],
    [{ effect: 'error', value: 'x' }, /--value does not go with --effect error/],
    [{ effect: 'reset', copies: '2' }, /--copies does not go with --effect reset/],
    [{ effect: 'reset', on: 'CHARGE_PAID' }, /names events; this effect is on calls of the API/],
    [{ effect: 'reset', on: 'wh_1' }, /names an endpoint; this effect is on calls of the API/],
    [{ effect: 'reset', on: 'createCharge,CHARGE_PAID' }, /not understood/],
    [{ effect: 'duplicate', on: 'createCharge' }, /on deliveries/],
    [
      { effect: 'duplicate', on: 'wh_1,wh_2' },
      /^--on takes one endpoint's id, and nothing else, not wh_1,wh_2/,
    ],
    [{ preset: 'forged', on: 'CHARGE_PAID,wh_1' }, /^--on takes one endpoint's id/],
    [{ effect: 'reset', on: 'createFoo' }, /not understood/],
    [{ effect: 'duplicate', on: 'AB' }, /not understood/],
    [{ effect: 'reset', nth: '-1' }, /--nth/],
    [{ effect: 'reset', probability: '1.5' }, /--probability/],
    [
      { preset: 'lost-respnse' },
      /^There is no preset "lost-respnse"; did you mean lost-response\? Nothing was sent\.$/,
    ],
    [{ preset: 'slow', on: 'CHARGE_PAID' }, /names events; this effect is on calls of the API/],
    [{ preset: 'forged', on: 'createCharge' }, /on deliveries/],
    [
      { effect: 'error', times: '0' },
      /^--times takes a whole number from 1 to 999999999, not "0"\. Nothing was sent\.$/,
    ],
    [{ effect: 'error', nth: '0' }, /^--nth takes a whole number from 1/],
    [{ effect: 'error', for: '0s' }, /^--for takes a duration longer than 0/],
    [{ effect: 'error', status: '200' }, /^--status takes a whole number from 400 to 599/],
    [
      { effect: 'html', status: '204' },
      /^--status 204 does not go with --effect html: such an answer has no/,
    ],
    [{ effect: 'html', status: '99999' }, /^--status takes a whole number from 200 to 599/],
    [{ effect: 'duplicate', copies: '101' }, /^--copies takes a whole number from 1 to 100/],
    [{ effect: 'stale-timestamp', skew: '0' }, /^--skew takes a duration longer than 0/],
    [{ effect: 'latency', wait: 'long' }, /not a duration/],
    [{ effect: 'stale-timestamp', skew: '3651d' }, /^--skew takes at most 3650d, not "3651d"\./],
    [{ effect: 'error', for: '367d' }, /^--for takes at most 366d, not "367d"\./],
    [{ effect: 'hang', wait: '25h' }, /^--wait takes at most 24h, not "25h"\./],
  ])('refuses %o', (flags, message) => {
    expect(() => faultBody(flags)).toThrow(message);
  });

  it.each(Object.keys(presets))('the sandbox takes --preset %s', (preset) => {
    const { preset: name, ...terms } = faultBody({ preset, times: '1' });
    expect(createFaults(() => 0).preset(name as PresetName, terms)).not.toEqual([]);
  });

  it.each([...Object.keys(apiEffects), ...Object.keys(deliveryEffects)])(
    'the sandbox takes --effect %s',
    (effect) => {
      expect(createFaults(() => 0).add(faultBody({ effect }) as never).rule.effect.kind).toBe(effect);
    },
  );

  it('are on the page, with the field of a rule, where that is not called like the flag', () => {
    const texts: Readonly<Record<string, string>> = {
      ...{ status: '500', location: 'https://shop.example/', retryAfter: '1s', wait: '1s' },
      ...{ copies: '1', skew: '1s' },
    };
    const others = Object.entries(parameters).flatMap(([flag, { effects, read }]) => {
      const [field] = Object.keys(read(texts[flag] ?? 'x', effects[0] ?? ''));
      return field === flag ? [] : [[`--${flag}`, field]];
    });
    expect(others.length).toBe(3);
    const page = readFileSync(
      new URL('../../../../docs/sandbox-webhooks-and-faults.md', import.meta.url),
      'utf8',
    );
    const rows = [...page.matchAll(/^\| `(--[\w-]+)` +\| `(\w+)` of `effect`/gm)].map(([, ...row]) => row);
    expect(rows).toEqual(expect.arrayContaining(others));
  });
});

/** Named misbehaviours: what really happens to integrations, ready to use. */
import type { OperationName } from '../../contract/operations.ts';
import type { FaultInput } from './rule.ts';

export interface Preset {
  readonly about: string;
  readonly rules: readonly FaultInput[];
}

const moneyOperations: OperationName[] = ['createCharge', 'refundCharge', 'createWithdrawal'];

export const presets = {
  'lost-response': {
    about: 'the next money call takes effect, and its connection is reset before the answer',
    rules: [
      { target: 'api', operations: moneyOperations, effect: { kind: 'reset', when: 'after' }, times: 1 },
    ],
  },
  'lost-request': {
    about: 'the next money call is reset before it has any effect',
    rules: [
      { target: 'api', operations: moneyOperations, effect: { kind: 'reset', when: 'before' }, times: 1 },
    ],
  },
  'error-after-commit': {
    about: 'the next money call takes effect and is answered 500',
    rules: [
      { target: 'api', operations: moneyOperations, effect: { kind: 'error', when: 'after' }, times: 1 },
    ],
  },
  'deploy-30s': {
    about: 'for 30 s of sandbox time every call is answered 502 with an HTML page',
    rules: [{ target: 'api', effect: { kind: 'html' }, forMs: 30_000 }],
  },
  'rate-limited': {
    about: 'the next 3 calls are answered 429 with Retry-After: 1',
    rules: [{ target: 'api', effect: { kind: 'rate-limit', retryAfter: 1 }, times: 3 }],
  },
  'rate-limited-silent': {
    about: 'the next 3 calls are answered 429 without Retry-After',
    rules: [{ target: 'api', effect: { kind: 'rate-limit' }, times: 3 }],
  },
  flaky: {
    about: 'one call in five is answered 500 before it has any effect',
    rules: [{ target: 'api', effect: { kind: 'error' }, probability: 0.2 }],
  },
  slow: {
    about: 'every call takes 3 s longer',
    rules: [{ target: 'api', effect: { kind: 'latency', ms: 3_000 } }],
  },
  'half-open': {
    about: 'the next money call takes effect and is never answered',
    rules: [
      { target: 'api', operations: moneyOperations, effect: { kind: 'hang', when: 'after' }, times: 1 },
    ],
  },
  'beta-change': {
    about: 'answers carry a status and a field that the document does not show',
    rules: [
      { target: 'api', effect: { kind: 'unknown-status' } },
      { target: 'api', effect: { kind: 'unknown-field' } },
    ],
  },
  'moving-pages': {
    about: 'each further page of a list begins with an item of the page before',
    rules: [
      { target: 'api', operations: ['listCharges', 'listWithdrawals'], effect: { kind: 'repeat-item' } },
    ],
  },
  'duplicate-storm': {
    about: 'every delivery is sent five times',
    rules: [{ target: 'delivery', effect: { kind: 'duplicate', copies: 4 } }],
  },
  'out-of-order': {
    about: 'every second event of an endpoint overtakes the one before it',
    rules: [{ target: 'delivery', effect: { kind: 'reorder' } }],
  },
  'late-events': {
    about: 'every delivery comes late by a minute of sandbox time',
    rules: [{ target: 'delivery', effect: { kind: 'delay', ms: 60_000 } }],
  },
  forged: {
    about: 'every delivery carries a signature that does not match',
    rules: [{ target: 'delivery', effect: { kind: 'bad-signature' } }],
  },
  'rewriting-proxy': {
    about: 'every body is serialised again after it was signed',
    rules: [{ target: 'delivery', effect: { kind: 'reserialise' } }],
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;

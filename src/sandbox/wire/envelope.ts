/** The envelope of every answer (document: "Conventions for every endpoint", "Errors"). */
import type { FailureEnvelope } from '../../contract/envelope.ts';
import { CachedRecord } from '../rules/cached-record.ts';
import { Refusal } from '../rules/refusal.ts';
import type { World } from '../world/world.ts';
import { type AnswerBody, writeBody } from './answer-body.ts';
import { CachedSuccess } from './answer-cache.ts';
import type { Outcome, Success } from './outcome.ts';

export function writeOutcome(world: Pick<World, 'assume'>, outcome: Outcome): AnswerBody {
  if (outcome instanceof Refusal) return writeBody([failureText(world, outcome)]);
  return outcome instanceof CachedSuccess ? outcome.body(writeSuccess) : writeSuccess(outcome);
}

function writeSuccess({ data, pagination }: Success): AnswerBody {
  const page = pagination === undefined ? end : `,"pagination":${JSON.stringify(pagination)}${end}`;
  if (!Array.isArray(data)) return writeBody(['{"data":', ...write(data), page]);
  const texts = ['{"data":['];
  for (const [at, item] of data.entries()) {
    if (at > 0) texts.push(',');
    texts.push(...write(item));
  }
  texts.push(']', page);
  return writeBody(texts);
}

const end = ',"error":null,"success":true}';
const write = (item: unknown): readonly string[] =>
  item instanceof CachedRecord ? CachedRecord.json(item) : [JSON.stringify(item)];

/** A refusal, as `failure-data` says. */
export function failureText({ assume }: Pick<World, 'assume'>, { code, message }: Failure): string {
  const envelope: FailureEnvelope = { error: code, message, success: false };
  return JSON.stringify(assume('failure-data') === 'null' ? { data: null, ...envelope } : envelope);
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

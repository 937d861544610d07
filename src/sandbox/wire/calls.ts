/** Handles one call of the documented plane, from the request's parts to the answer's. No I/O but the world's. */
import type { AssumptionId } from '../../contract/assumptions.ts';
import { type OperationName, operations } from '../../contract/operations.ts';
import type { Answer, Context } from '../rules/handler.ts';
import { handlers } from '../rules/handlers.ts';
import { type Assume, assumedRefusal, Refusal } from '../rules/refusal.ts';
import { diagnoseError } from '../store/diagnose-error.ts';
import { CorruptStateError, isStorageFailure } from '../store/store-failures.ts';
import type { World } from '../world/world.ts';
import { cacheAnswer, findCachedAnswer } from './answer-cache.ts';
import { authenticate } from './authenticate.ts';
import type { CallResult, Success } from './outcome.ts';
import type { Route } from './routes.ts';
import { type RawInput, validate } from './validate.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  /** Null for a route or verb that the document does not show. */
  readonly route: Route | null;
  /** The text after `?`. */
  readonly query: string;
  readonly authorization: string | undefined;
  /** The parsed JSON, or what is wrong with the bytes; null if no body is read. */
  readonly body: { readonly json: unknown } | { readonly wrong: string } | null;
}

/**
 * Handles a call. Order of checks: token, route, body and query, business rules. `done` is called once the effect is
 * committed.
 */
export function handleCall(world: World, request: Request, done: (made: CallResult) => void): void {
  const assumptions: AssumptionId[] = [];
  const assume = createAssume(world, assumptions);
  let merchantId: string | null = null;
  const failed = (thrown: unknown): CallResult => {
    if (thrown instanceof Refusal) return { merchantId, assumptions, outcome: thrown };
    const error = diagnoseError(world.store, thrown);
    return { merchantId, assumptions: [], outcome: unexpected(error), error };
  };
  let made: CallResult | undefined;
  try {
    const asker = authenticate(world, request.authorization, assume);
    merchantId = asker;
    const answered = (outcome: Success) => ({ merchantId: asker, assumptions, outcome });
    made = findCachedAnswer(world, request, asker);
    if (made === undefined) {
      const work = prepare({ world, merchantId, assume }, request);
      // Charges come by the thousand, and each one's only write is its last step.
      if (request.route?.operation === 'createCharge') {
        world.store.shareTransaction(work, (settled) =>
          done('value' in settled ? answered(settled.value) : failed(settled.error)),
        );
        return;
      }
      made = cacheAnswer(
        world,
        request,
        answered(request.method === 'GET' ? work() : world.store.transaction(work)),
      );
    }
  } catch (error) {
    made = failed(error);
  }
  done(made);
}

/** Makes the refusal for an unexpected error. If the state is at fault, the caller can do something about it. */
function unexpected(error: unknown): Refusal {
  const words =
    error instanceof CorruptStateError
      ? `the state of this sandbox cannot be read: ${error.message}`
      : isStorageFailure(error)
        ? `this sandbox cannot use its state: ${error.message}`
        : 'unexpected server error';
  return new Refusal('INTERNAL_ERROR', words);
}

/** Returns what is left to do once the request is valid. Throws `Refusal`. */
function prepare(context: Context, { route, method, path, query, body }: Request): () => Success {
  const { assume } = context;
  if (route === null) throw assumedRefusal(assume('unknown-route'), `${method} ${path} does not exist`);
  if (body !== null && 'wrong' in body) throw assumedRefusal(assume('body-syntax-code'), body.wrong);
  const { assumed } = operations[route.operation];
  const answer = handle(route.operation, context, { id: route.id, query, body: body?.json });
  return () => {
    const outcome = answer();
    // A refusal rests on none of these. If one throws (`--undocumented error`), the effect is rolled back.
    for (const id of assumed) assume(id);
    return outcome;
  };
}

function handle<K extends OperationName>(name: K, context: Context, raw: RawInput): () => Answer<K> {
  const input = validate(name, raw, context);
  return () => handlers[name](context, input);
}

/** Notes what an answer rests on. With `--undocumented=error`, what was not chosen by name is an error. */
function createAssume(world: World, rests: AssumptionId[]): Assume {
  return (id) => {
    if (!rests.includes(id)) rests.push(id);
    const { value, chosen } = world.choices[id];
    if (chosen || world.settings.undocumented !== 'error') return value;
    throw new Refusal(
      'INTERNAL_ERROR',
      `the document does not show this (${id}), and this sandbox runs with --undocumented error`,
    );
  };
}

/** `webhook test <url>`: tries a receiver with what it must survive, and shows the score. */
import { randomUUID } from 'node:crypto';
import { webhookLimits } from '../../../contract/webhook.ts';
import { PixctlError, usageError } from '../../../errors.ts';
import { parseDuration, timeoutOf } from '../../../flags/duration.ts';
import { isSuccessStatus } from '../../../forward/forward.ts';
import { isUnreached } from '../../../listener/posting/exchange.ts';
import { baseEventHeaders } from '../../../listener/posting/extra-headers.ts';
import { createPost, type Post, type PostResult } from '../../../listener/posting/post.ts';
import { parseTarget } from '../../../listener/posting/target.ts';
import { postTraceOf } from '../../../runtime/post-trace.ts';
import type { Runtime } from '../../../runtime.ts';
import type { View } from '../../../terminal/view.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretFlags } from '../secrets/secrets.ts';
import { stoppedError } from '../stopped-error.ts';
import { type Kit, type ReceiverCase, receiverCases } from './cases.ts';
import { junitOf } from './junit.ts';
import { openReport } from './report-file.ts';
import { isRefusal, type Score, scoreOf } from './score.ts';

export interface TestFlags extends SecretFlags {
  readonly maxAnswer: string;
  readonly tolerance: string;
  readonly junit?: string;
  readonly allowRemote?: boolean;
  readonly signatureHeader: string;
}

interface Trial {
  readonly url: string;
  readonly maxAnswerMs: number;
  /** How long to wait for an answer: as long as the service does, or `--timeout`. */
  readonly timeoutMs: number;
  readonly signatureHeader: string;
  readonly kit: () => Kit;
  readonly post: Post;
}

/** With one of decades, the stale case would be signed before 1970, which no `t` can say. */
const longestToleranceMs = 365 * 86_400_000;

/**
 * Tries a receiver. Throws later (75) if nobody is there, endedBadly (83), after showing the score, if a case failed.
 */
export async function test(runtime: Runtime, target: string, flags: TestFlags): Promise<void> {
  const output = await runtime.output(scoreView);
  const url = parseTarget(target, { allowRemote: flags.allowRemote === true });
  const maxAnswerMs = parseDuration(flags.maxAnswer, '--max-answer');
  const toleranceMs = parseDuration(flags.tolerance, '--tolerance');
  if (toleranceMs > longestToleranceMs)
    throw usageError('--tolerance takes at most 365d. Nothing was sent.', 'The usual one is 5m.');
  const timeoutMs = timeoutOf(runtime.globals) ?? webhookLimits.timeoutMs;
  const secret = await requireSecret(runtime, flags, url);
  if (runtime.globals.dryRun === true) {
    for (const { name, title } of receiverCases) output.note(`Would send to ${url}: ${name}, ${title}.`);
    return output.note('Nothing was sent.');
  }
  const scores: Score[] = [];
  const score = () => junitOf(scores, receiverCases.slice(scores.length), url);
  const report = flags.junit === undefined ? null : await openReport(flags.junit, score());
  const kit = () => ({ secret, now: runtime.clock.now(), toleranceMs, newId });
  const { signatureHeader } = flags;
  const { post, close } = createPost(runtime.clock, { trace: await postTraceOf(runtime, signatureHeader) });
  const finish = async () => {
    close();
    await report?.finish(score());
  };
  try {
    const trial: Trial = { url, maxAnswerMs, timeoutMs, signatureHeader, kit, post };
    await output.each(scoreView, tryAll(runtime, trial, scores));
    // A reader that goes away (`| head`) ends what is shown, but not the score.
    for await (const _ of tryAll(runtime, trial, scores));
    if (runtime.signal.aborted)
      throw stoppedError(
        runtime.signal,
        `${scores.length} of ${receiverCases.length} cases were tried, so there is no score`,
      );
  } catch (cause) {
    // Why it was cut short is worth more than that the report could not be finished either.
    await finish().catch(() => {});
    throw cause;
  }
  await finish();
  const failed = scores.filter(({ passed }) => !passed);
  output.note(`${scores.length - failed.length} passed, ${failed.length} failed.`);
  if (failed.length > 0)
    throw new PixctlError(
      'endedBadly',
      'RECEIVER_FAILED',
      `The receiver failed: ${failed.map((each) => each.case).join(', ')}.`,
      {
        hint: 'Each is shown with its reason. The documentation has sound receivers in Node, Python, PHP, Go, Ruby and Java (webhook-receivers).',
      },
    );
}

/** Tries the cases that have no score yet. */
async function* tryAll(runtime: Runtime, trial: Trial, scores: Score[]): AsyncGenerator<Score> {
  for (const tried of receiverCases.slice(scores.length)) {
    const results = await sendCase(runtime, trial, tried);
    if (runtime.signal.aborted) return;
    const [first] = results;
    if (scores.length === 0 && first !== undefined && isUnreached(first))
      throw new PixctlError(
        'later',
        'NOT_REACHED',
        `Nothing was received at ${trial.url}: it ${first.error}.`,
        {
          hint: 'Start your receiver, and try again.',
        },
      );
    const { maxAnswerMs } = trial;
    const terms = { maxAnswerMs, notTaken: notTaken(scores), refusesForged: refusesForged(scores) };
    const score = scoreOf(tried, results, terms);
    scores.push(score);
    yield score;
  }
}

/** Returns the status of the genuine delivery if that was no 2xx. */
function notTaken([first]: readonly Score[]): number | null {
  const status = first?.statuses[0] ?? null;
  return isSuccessStatus(status) ? null : status;
}

const refusesForged = (scores: readonly Score[]): boolean =>
  scores.find((score) => score.case === 'forged')?.statuses.every(isRefusal) === true;

async function sendCase(runtime: Runtime, trial: Trial, tried: ReceiverCase): Promise<PostResult[]> {
  const send = ({ body, signature }: ReturnType<ReceiverCase['deliveries']>[number]) =>
    trial.post({
      url: trial.url,
      body,
      headers: [
        ...baseEventHeaders,
        ...(signature === null ? [] : [[trial.signatureHeader, signature] as const]),
      ],
      timeoutMs: trial.timeoutMs,
      signal: runtime.signal,
    });
  const deliveries = tried.deliveries(trial.kit());
  if (tried.together) return Promise.all(deliveries.map(send));
  const results: PostResult[] = [];
  for (const delivery of deliveries) results.push(await send(delivery));
  return results;
}

const newId = (): string => randomUUID().replaceAll('-', '');

export const scoreView: View<Score> = {
  name: 'case',
  columns: [
    { key: 'case', header: 'Case', value: ({ case: name }) => name },
    { key: 'passed', header: 'Score', kind: 'status', text: ({ passed }) => (passed ? 'passed' : 'FAILED') },
    {
      key: 'statuses',
      header: 'Answer',
      value: ({ statuses }) => statuses.map((status) => status ?? '-').join(' '),
    },
    { key: 'ms', header: 'ms' },
    { key: 'reason', header: 'Reason', kind: 'text' },
    { key: 'title', header: 'What was sent', kind: 'text', detail: true },
  ],
};

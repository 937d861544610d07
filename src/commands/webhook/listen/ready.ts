/** What `webhook listen` says once it can be reached: the first line for machines, notes for people. */
import type { Inspector } from '../../../listener/inspector/start-inspector.tsx';
import type { Targets } from '../../../listener/posting/targets.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import type { Output } from '../../../terminal/output.ts';
import { type Ingress, leadsHere } from './ingress/ingress.ts';
import type { ReadyLine } from './lines/lines.ts';
import type { ListenOptions } from './options.ts';
import { leftFromEarlierRuns, type WaitingEvents } from './waiting.ts';

/** What the notes tell of, besides what is in the first line. */
interface ReadyFacts {
  readonly ingress: Pick<Ingress, 'localUrl' | 'publicUrl' | 'registeredFor'>;
  readonly waiting: WaitingEvents;
  readonly targets: Pick<Targets, 'eventsRoutedTo'>;
}

/** Makes the first line. `waiting`: how many events of earlier runs this one forwards. */
export function readyLine(
  options: ListenOptions,
  ingress: Ingress,
  waiting: number,
  inspector: Inspector | null,
): ReadyLine {
  return {
    type: 'ready',
    url: ingress.localUrl,
    publicUrl: ingress.publicUrl,
    endpoint: ingress.endpoint,
    events: options.events ?? ingress.subscribed,
    forwardTo: options.targets.all,
    ack: options.ack,
    waiting,
    ...(inspector === null ? {} : { uiUrl: inspector.url }),
    ...(options.printSecret ? { secret: ingress.secrets[0] ?? '' } : {}),
  };
}

/** Notes for people. */
export function tellReady(
  output: Pick<Output, 'note'>,
  ready: ReadyLine,
  { ingress, waiting, targets }: ReadyFacts,
): void {
  output.note(
    `Listening on ${ready.url}${ready.publicUrl === null ? '' : `, reached at ${ready.publicUrl}`}`,
  );
  if (ready.endpoint !== null) {
    output.note(`Endpoint ${ready.endpoint}, events: ${ready.events?.join(', ') ?? 'all documented ones'}`);
    const { registeredFor } = ingress;
    if (registeredFor !== null && !leadsHere(registeredFor, ingress))
      output.note(
        `It is registered for ${registeredFor}: deliveries go there, and come here only if that leads here.`,
      );
  }
  const to = ready.forwardTo.join(', ');
  output.note(
    to === '' ? 'Nothing is forwarded (no --forward-to): events are only stored.' : `Forwarding to ${to}`,
  );
  const isPart = 'only' in targets.eventsRoutedTo(() => true);
  if (to !== '') for (const left of leftFromEarlierRuns(waiting, isPart)) output.note(left);
  if (waiting.others > 0) {
    output.note(
      `${formatCount(waiting.others, 'event')} stored under other secrets: a listener with those secrets forwards them, and so does a replay.`,
    );
  }
  if (ready.secret !== undefined) output.note(`Signing secret: ${ready.secret}`);
  if (ready.uiUrl !== undefined) output.note(`Page: ${ready.uiUrl}`);
  output.note('Ctrl-C stops it.');
}

/**
 * Reports each change in whether the application can be reached. What `--ack app` answers for it is not forwarded
 * later; what `--poll` makes is.
 */
export function tellApplication(
  output: Output,
  { ack, pollMs }: Pick<ListenOptions, 'ack' | 'pollMs'>,
  url: string,
  answering: boolean,
): void {
  const meanwhile =
    ack === 'app' && pollMs === null
      ? 'each delivery is answered with 502, and only the service or a replay sends it again'
      : 'events are stored and forwarded later';
  if (answering) output.note(`Your application at ${url} answers.`);
  else output.warn(`Your application at ${url} is not answering; ${meanwhile}.`);
}

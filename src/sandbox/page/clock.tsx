/** The sandbox's clock: move it, stop it, and see what is due next. */
import { dataError } from '../../errors.ts';
import { parseDuration } from '../../flags/duration.ts';
import { Detail } from '../../page/detail.tsx';
import { ActionForm, Field } from '../../page/form.tsx';
import { List } from '../../page/list.tsx';
import { Countdown, Moment } from '../../page/moment.tsx';
import type { Pages } from '../../page/pages.tsx';
import type { Assembly } from '../assembly.ts';
import { deliveryJob } from '../deliveries/engine.ts';
import { refundCompletionJob } from '../rules/charge-records.ts';
import { withdrawalStepJob } from '../rules/withdrawal-steps.ts';
import type { SandboxClock } from '../world/clock.ts';
import { longestAdvanceMs } from '../world/limits.ts';
import type { World } from '../world/world.ts';
import { readField } from './facts.ts';

export function clockPages({ routes, show, goTo }: Pages, sandbox: Assembly): void {
  const { world, jobs } = sandbox;
  const screen = { title: 'Clock', section: 'clock', topics: ['records', 'clock'] };
  routes
    .get('/clock', (context) => show(context, screen, <ClockPage world={world} />))
    .post('/clock/advance', async (context) => {
      const by = await readField(context, 'by');
      const ms = parseDuration(by);
      if (ms > longestAdvanceMs)
        throw dataError(
          'TOO_FAR',
          `By is at most ${longestAdvanceMs / 86_400_000}d, not ${by}. Nothing was done.`,
        );
      await jobs.advance(ms);
      return goTo(context, await returnPath(context));
    })
    .post('/clock/next', async (context) => {
      const until = Number((await readField(context, 'until')) || (listDue(world, 1)[0]?.dueAt ?? 0));
      const by = Math.min(until - world.clock.now(), longestAdvanceMs);
      if (by > 0) await jobs.advance(by);
      return goTo(context, await returnPath(context));
    })
    .post('/clock/freeze', (context) => {
      world.clock.freeze();
      return goTo(context, 'clock');
    })
    .post('/clock/unfreeze', (context) => {
      world.clock.unfreeze();
      jobs.wake();
      return goTo(context, 'clock');
    });
}

/** Returns to the clock's own page, or to the event that was being looked at. */
async function returnPath(context: Parameters<typeof readField>[0]): Promise<string> {
  const event = await readField(context, 'event');
  return event === '' ? 'clock' : `events/${encodeURIComponent(event)}`;
}

interface DueItem {
  readonly id: string;
  readonly dueAt: number;
  readonly what: string;
}

/** Lists jobs, and charges that expire, which need no job. */
function listDue(world: World, limit: number): DueItem[] {
  const jobs = world.store
    .all<{ id: number; kind: string; dueAt: number; payload: string }>(
      'SELECT id, kind, due_at AS dueAt, payload FROM jobs ORDER BY due_at, id LIMIT ?',
      limit,
    )
    .map(({ id, kind, dueAt, payload }) => ({ id: `job-${id}`, dueAt, what: describeJob(kind, payload) }));
  const expiring = world.assume('expired-transition') === 'never' ? 0 : limit;
  const charges = world.store
    .all<{ id: string; dueAt: number }>(
      `SELECT id, expires_at AS dueAt FROM charges WHERE status = 'PENDING' AND expires_at > ? ORDER BY expires_at LIMIT ?`,
      world.clock.now(),
      expiring,
    )
    .map(({ id, dueAt }) => ({ id, dueAt, what: `charge ${id} expires` }));
  return [...jobs, ...charges].sort((a, b) => a.dueAt - b.dueAt).slice(0, limit);
}

function describeJob(kind: string, payload: string): string {
  const of = String(JSON.parse(payload));
  if (kind === deliveryJob) return `delivery ${of} is attempted`;
  if (kind === refundCompletionJob) return `the refund of charge ${of} is completed`;
  return kind === withdrawalStepJob ? `withdrawal ${of} takes its next step` : `${kind} of ${of}`;
}

/** Describes the clock. After standing still it is behind. */
function describeClock({ mode, offsetMs }: SandboxClock): string {
  if (mode === 'frozen') return 'is stopped';
  if (mode === 'real') return 'runs with the machine';
  return offsetMs < 0 ? 'runs, behind the machine' : 'runs, ahead of the machine';
}

const ClockPage = ({ world }: { world: World }) => {
  const { clock } = world;
  const now = clock.now();
  const due = listDue(world, 30);
  const frozen = clock.mode === 'frozen';
  return (
    <Detail
      title="Clock"
      actions={
        <>
          {(['2s', '10s', '1m', '1h', '24h'] as const).map((by, index) => (
            <ActionForm
              to="clock/advance"
              label={`+${by}`}
              title={`Advance by ${by}`}
              shortcut={'asdfg'[index] ?? ''}
              fields={{ by }}
              testid={`advance-${by}`}
            />
          ))}
          {due.length === 0 ? null : (
            <ActionForm to="clock/next" label="To what is due next" shortcut="n" testid="advance-next" />
          )}
          <ActionForm to="clock/advance" label="Advance">
            <Field name="by" label="By" placeholder="90s, 15m, 24h" />
          </ActionForm>
          {frozen ? (
            <ActionForm to="clock/unfreeze" label="Unfreeze" shortcut="z" tone="main" />
          ) : (
            <ActionForm to="clock/freeze" label="Freeze" shortcut="z" />
          )}
        </>
      }
      facts={[
        ['Now (UTC)', <Moment at={now} now />],
        ['It', describeClock(clock)],
      ]}
    >
      <h2>Due next</h2>
      <List
        name="Due next"
        items={due}
        keyOf={({ id }) => id}
        empty={<p>Nothing is due.</p>}
        columns={[
          { header: 'What', cell: ({ what }) => what },
          { header: 'At', kind: 'wide', cell: ({ dueAt }) => <Moment at={dueAt} /> },
          { header: 'In', kind: 'end', cell: ({ dueAt }) => <Countdown until={dueAt} now={now} /> },
        ]}
      />
    </Detail>
  );
};

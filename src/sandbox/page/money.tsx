/** Withdrawals, both buckets of the balance, and the double-entry ledger behind them. */
import { formatCents } from '../../contract/money.ts';
import { dataError } from '../../errors.ts';
import { Badge, Detail } from '../../page/detail.tsx';
import { ActionForm, Field } from '../../page/form.tsx';
import { List, pageSize } from '../../page/list.tsx';
import { Moment } from '../../page/moment.tsx';
import type { Pages } from '../../page/pages.tsx';
import type { Assembly } from '../assembly.ts';
import { readBalance } from '../rules/balance.ts';
import { listMerchants } from '../rules/merchants.ts';
import { findWithdrawal, selectWithdrawals, type WithdrawalRow } from '../rules/withdrawal-records.ts';
import { completeWithdrawal, defaultFailureReason, failWithdrawal } from '../rules/withdrawal-steps.ts';
import { maxReasonLength } from '../world/limits.ts';
import type { World } from '../world/world.ts';
import { Entries } from './entries.tsx';
import { pageLinks, readBefore, readField, toneOf } from './facts.ts';

export function moneyPages({ routes, show, goTo }: Pages, { world }: Pick<Assembly, 'world'>): void {
  const screen = { section: 'money', topics: ['records'] };
  routes
    .get('/money', (context) =>
      show(context, { ...screen, title: 'Money' }, <Money {...{ world, before: readBefore(context) }} />),
    )
    .get('/entries', (context) =>
      show(
        context,
        { ...screen, title: 'Entries' },
        <>
          <h1>Entries</h1>
          <Entries world={world} before={readBefore(context)} reference={null} />
        </>,
      ),
    )
    .get('/withdrawals/:id', (context) => {
      const row = findWithdrawal(world, context.req.param('id'), null);
      return show(
        context,
        { ...screen, title: `Withdrawal ${row.id}` },
        <WithdrawalDetail {...{ world, row }} />,
      );
    })
    .post('/withdrawals/:id/complete', (context) => {
      completeWithdrawal(world, context.req.param('id'));
      return goTo(context, `withdrawals/${encodeURIComponent(context.req.param('id'))}`);
    })
    .post('/withdrawals/:id/fail', async (context) => {
      const id = context.req.param('id');
      const reason = (await readField(context, 'reason')) || defaultFailureReason;
      if (reason.length > maxReasonLength)
        throw dataError(
          'BAD_REASON',
          `The reason is at most ${maxReasonLength} characters. Nothing was done.`,
        );
      failWithdrawal(world, id, reason);
      return goTo(context, `withdrawals/${encodeURIComponent(id)}`);
    });
}

/** How many balances the page shows, since a sandbox may have any number of merchants. */
const shownMerchants = 20;

const Money = ({ world, before }: { world: World; before: number | null }) => {
  const rows = world.store.all<WithdrawalRow>(
    `${selectWithdrawals} WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
    before ?? Number.MAX_SAFE_INTEGER,
    pageSize,
  );
  const merchants = listMerchants(world);
  const unseen = merchants.length - shownMerchants;
  return (
    <>
      <h1>Money</h1>
      {merchants.slice(0, shownMerchants).map(({ id, name }) => (
        <Buckets {...{ world, id, name }} />
      ))}
      {unseen > 0 && (
        <p class="dim" data-testid="unseen">
          {unseen} more merchants are not shown.
        </p>
      )}
      <h2>Withdrawals</h2>
      <List
        name="Withdrawals"
        items={rows}
        keyOf={({ id }) => id}
        href={({ id }) => `withdrawals/${encodeURIComponent(id)}`}
        {...pageLinks('money', before, rows, 'seq')}
        empty={<p>No withdrawal yet.</p>}
        columns={[
          { header: 'Withdrawal', cell: ({ id }) => id },
          { header: 'Status', cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge> },
          { header: 'Amount', kind: 'end', cell: ({ amount }) => formatCents(amount) },
          { header: 'Fee', kind: 'wide end', cell: ({ fee }) => formatCents(fee) },
          { header: 'To', kind: 'wide', cell: recipientOf },
          { header: 'Created', kind: 'wide', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
      />
      <h2>Entries</h2>
      <Entries world={world} before={null} reference={null} />
    </>
  );
};

/** The key comes last, because a mark in it that reverses the text direction affects what follows. */
const recipientOf = ({ pixKey, pixKeyType }: WithdrawalRow): string => `${pixKeyType} ${pixKey}`;

const Buckets = ({ world, id, name }: { world: World; id: string; name: string }) => {
  const { available, pending } = readBalance(world, id);
  return (
    <section aria-label={`Balance of ${name}`} data-key={id}>
      <p class="dim">
        <bdi>{name}</bdi> <span class="mono">{id}</span>
      </p>
      <dl class="buckets">
        <div>
          <dt>Available</dt>
          <dd data-testid="available">{formatCents(available)}</dd>
        </div>
        <div>
          <dt>Pending: reserved for withdrawals in flight</dt>
          <dd data-testid="pending">{formatCents(pending)}</dd>
        </div>
      </dl>
    </section>
  );
};

const WithdrawalDetail = ({ world, row }: { world: World; row: WithdrawalRow }) => {
  const { id, status } = row;
  const open = status === 'PENDING' || status === 'PROCESSING';
  const to = `withdrawals/${encodeURIComponent(id)}`;
  const steps = ['PENDING', 'PROCESSING', status === 'FAILED' ? 'FAILED' : 'COMPLETED'];
  return (
    <Detail
      title={<span class="mono">{id}</span>}
      badge={<Badge tone={toneOf(status)}>{status}</Badge>}
      back={{ path: 'money', label: 'Money' }}
      actions={
        open ? (
          <>
            <ActionForm to={`${to}/complete`} label="Complete" shortcut="c" tone="main" testid="complete" />
            <ActionForm to={`${to}/fail`} label="Fail" shortcut="f" tone="danger" testid="fail">
              <Field name="reason" label="Reason of a failure" value={defaultFailureReason} />
            </ActionForm>
          </>
        ) : (
          <span class="dim">It has ended.</span>
        )
      }
      facts={[
        ['Amount', <b>{formatCents(row.amount)}</b>],
        ['Fee', formatCents(row.fee)],
        ['PIX key', recipientOf(row)],
        ['Created', <Moment at={row.createdAt} />],
        ['Merchant', <span class="mono">{row.merchantId}</span>],
        ['Failed because', row.failedReason ?? '-'],
      ]}
    >
      <ol class="steps" aria-label="Steps">
        {steps.map((step, index) => (
          <li aria-current={step === status ? 'step' : undefined}>{`${index + 1}. ${step}`}</li>
        ))}
      </ol>
      <h2>Its entries</h2>
      <Entries world={world} before={null} reference={id} />
    </Detail>
  );
};

/** Charges: the list, and one of them with its QR code, the code's fields, and what can happen to it. */
import { useContext } from 'hono/jsx';
import { explainBrCode } from '../../contract/brcode/explain.ts';
import { formatCents } from '../../contract/money.ts';
import { Badge, Code, Detail } from '../../page/detail.tsx';
import { ActionForm } from '../../page/form.tsx';
import { List, pageSize } from '../../page/list.tsx';
import { Countdown, Moment, RefreshAt } from '../../page/moment.tsx';
import { PageContext } from '../../page/page-context.ts';
import type { Pages } from '../../page/pages.tsx';
import { ShortcutKey, shortcutAttributes } from '../../page/shortcut-key.tsx';
import type { Assembly } from '../assembly.ts';
import { disputeCharge, expireCharge, isPayable } from '../rules/charge-changes.ts';
import { type ChargeRow, findCharge, selectCharges, statusOf, toCharge } from '../rules/charge-records.ts';
import { refundCharge } from '../rules/refunds.ts';
import type { World } from '../world/world.ts';
import { pageLinks, readBefore, toneOf } from './facts.ts';
import { pagePath } from './path.ts';

export function chargePages({ routes, show, goTo }: Pages, { world }: Pick<Assembly, 'world'>): void {
  routes
    .get('/charges', (context) => {
      const before = readBefore(context);
      const screen = { title: 'Charges', section: 'charges', topics: ['records', 'clock'] };
      return show(context, screen, <Charges {...{ world, before }} />);
    })
    .get('/charges/:id', (context) => {
      const row = findCharge(world, context.req.param('id'), null);
      const screen = { title: `Charge ${row.id}`, section: 'charges', topics: ['records', 'clock'] };
      return show(context, screen, <ChargeDetail {...{ world, row }} />);
    })
    .post('/charges/:id/:change', (context) => {
      const { id, change } = context.req.param();
      if (change === 'expire') expireCharge(world, id);
      else if (change === 'dispute') disputeCharge(world, id);
      else if (change === 'refund') refund(world, id);
      else return context.notFound();
      return goTo(context, `charges/${encodeURIComponent(id)}`);
    });
}

/** Refunds a charge as its merchant would. */
function refund(world: World, id: string): void {
  const { merchantId } = findCharge(world, id, null);
  const input = { path: undefined, query: { id }, body: undefined };
  world.store.transaction(() => refundCharge({ world, merchantId, assume: world.assume }, input));
}

const Charges = ({ world, before }: { world: World; before: number | null }) => {
  const rows = world.store.all<ChargeRow>(
    `${selectCharges} WHERE c.seq < ? ORDER BY c.seq DESC LIMIT ?`,
    before ?? Number.MAX_SAFE_INTEGER,
    pageSize,
  );
  return (
    <>
      <h1>Charges</h1>
      <List
        name="Charges"
        items={rows}
        keyOf={({ id }) => id}
        href={({ id }) => `charges/${encodeURIComponent(id)}`}
        {...pageLinks('charges', before, rows, 'seq')}
        empty={
          <p>
            No charge yet. In a terminal: <code>pixctl --profile sandbox charge create --amount 10,50</code>
          </p>
        }
        columns={[
          { header: 'Charge', cell: ({ id }) => id },
          {
            header: 'Status',
            cell: (row) => <Status row={row} status={statusOf(world, row)} />,
          },
          { header: 'Amount', kind: 'end', cell: ({ amount }) => formatCents(amount) },
          { header: 'Customer', kind: 'wide', cell: ({ customerName }) => customerName },
          { header: 'Description', kind: 'wide', cell: ({ description }) => description },
          { header: 'Created', kind: 'wide', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
      />
    </>
  );
};

/** Computed, because a charge expires without any change to its record. */
const Status = ({ row, status }: { row: ChargeRow; status: string }) => (
  <>
    <Badge tone={toneOf(status)}>{status}</Badge>
    {status === 'PENDING' ? <RefreshAt at={row.expiresAt} /> : null}
  </>
);

const ChargeDetail = ({ world, row }: { world: World; row: ChargeRow }) => {
  const charge = toCharge(world, row);
  const { status, brCode } = charge;
  return (
    <Detail
      title={<span class="mono">{row.id}</span>}
      badge={<Badge tone={toneOf(status)}>{status}</Badge>}
      back={{ path: 'charges', label: 'Charges' }}
      actions={<Actions {...{ world, row }} />}
      facts={[
        ['Amount', <b>{formatCents(row.amount)}</b>],
        ['Description', row.description ?? 'none'],
        ['Created', <Moment at={row.createdAt} />],
        [
          'Expires',
          <>
            <Moment at={row.expiresAt} />{' '}
            {status === 'PENDING' ? <Countdown until={row.expiresAt} now={world.clock.now()} /> : null}
          </>,
        ],
        ['Txid', <span class="mono">{row.txid}</span>],
        ['Merchant', <span class="mono">{row.merchantId}</span>],
        // What somebody else wrote comes last, because a mark that reverses the text direction affects what follows.
        ['Customer', row.customerId === null ? 'none' : `${row.customerId}, ${row.customerName}`],
        ['Tax id, email', row.customerId === null ? 'none' : `${row.customerTaxId}, ${row.customerEmail}`],
      ]}
    >
      <div class="charge">
        <img
          class="qr"
          src={charge.imageBase64}
          width={208}
          height={208}
          alt={`QR code of ${row.id}`}
          data-testid="qr"
        />
        <Code label="BR Code (copia e cola)" text={brCode} />
      </div>
      <h2>Fields of the code</h2>
      <List
        name="Fields of the code"
        items={explainBrCode(brCode)}
        keyOf={({ field }) => field}
        empty=""
        columns={[
          { header: 'Field', cell: ({ field }) => <code>{field}</code> },
          { header: 'Name', cell: ({ name }) => name },
          { header: 'Value', cell: ({ value }) => <code>{value}</code> },
          { header: 'Meaning', kind: 'wide', cell: ({ meaning }) => meaning },
        ]}
      />
    </Detail>
  );
};

const Actions = ({ world, row }: { world: World; row: ChargeRow }) => {
  const place = useContext(PageContext);
  const to = `charges/${encodeURIComponent(row.id)}`;
  const pay = `pay/${encodeURIComponent(row.id)}`;
  const status = statusOf(world, row);
  if (isPayable(world, status)) {
    return (
      <>
        <ActionForm to={pay} label="Pay" shortcut="p" tone="main" testid="pay" fields={{ from: 'charge' }} />
        <a
          class="button"
          href={`${pagePath}/${pay}`}
          {...shortcutAttributes(place, 'b')}
          data-testid="as-payer"
        >
          Pay as the payer
          <ShortcutKey of="b" />
        </a>
        {status === 'PENDING' && <ActionForm to={`${to}/expire`} label="Expire" shortcut="e" />}
      </>
    );
  }
  if (status !== 'PAID') return <span class="dim">Nothing more can happen to it.</span>;
  return (
    <>
      <ActionForm to={`${to}/refund`} label="Refund" shortcut="r" />
      <ActionForm to={`${to}/dispute`} label="Dispute" shortcut="d" tone="danger" />
    </>
  );
};

/** What the payer's bank would show after scanning, read from the code itself as a bank does. */
import { judgeBrCode } from '../../contract/brcode/judge.ts';
import { formatCents } from '../../contract/money.ts';
import { Facts } from '../../page/detail.tsx';
import { ActionForm } from '../../page/form.tsx';
import { Moment, RefreshAt } from '../../page/moment.tsx';
import type { Pages } from '../../page/pages.tsx';
import type { Assembly } from '../assembly.ts';
import { isPayable, payCharge } from '../rules/charge-changes.ts';
import { type ChargeRow, findCharge, statusOf } from '../rules/charge-records.ts';
import type { World } from '../world/world.ts';
import { readField } from './facts.ts';
import { pagePath } from './path.ts';

export function payerPages({ routes, show, goTo }: Pages, { world }: Pick<Assembly, 'world'>): void {
  routes
    .get('/pay/:id', (context) => {
      const row = findCharge(world, context.req.param('id'), null);
      const screen = { title: 'Confirm the payment', section: '', topics: ['records', 'clock'], bare: true };
      return show(context, screen, <Confirm {...{ world, row }} />);
    })
    .post('/pay/:id', async (context) => {
      const id = context.req.param('id');
      payCharge(world, id);
      const from = await readField(context, 'from');
      return goTo(context, `${from === 'charge' ? 'charges' : 'pay'}/${encodeURIComponent(id)}`);
    });
}

const Confirm = ({ world, row }: { world: World; row: ChargeRow }) => {
  const status = statusOf(world, row);
  const { code } = judgeBrCode(row.brCode);
  const paid = status !== 'PENDING' && status !== 'EXPIRED';
  return (
    <article class="pay">
      <p class="dim">
        {paid ? 'You paid' : status === 'EXPIRED' ? 'This code has expired' : 'You are about to pay'}
      </p>
      <h1 class="amount" data-testid="payer-amount">
        {code.amount === null ? 'any amount' : formatCents(code.amount)}
      </h1>
      <Facts
        facts={[
          ['To', <b>{code.name}</b>],
          ['City', code.city],
          ['Institution', 'pixctl sandbox'],
          ['Message', row.description ?? 'none'],
          ['Identifier', <span class="mono">{row.txid}</span>],
          [paid ? 'Created' : 'Valid until', <Moment at={paid ? row.createdAt : row.expiresAt} />],
        ]}
      />
      {paid ? (
        <p class="good" role="status" data-testid="receipt">
          Done. The merchant's webhook endpoints, if any, receive the event.
        </p>
      ) : isPayable(world, status) ? (
        <>
          <ActionForm
            to={`pay/${encodeURIComponent(row.id)}`}
            label="Confirm and pay"
            tone="main"
            testid="confirm"
          />
          {status === 'PENDING' && <RefreshAt at={row.expiresAt} />}
        </>
      ) : null}
      <a class="cancel" href={`${pagePath}/charges/${encodeURIComponent(row.id)}`} data-back>
        {status === 'PENDING' ? 'Cancel' : 'Back to the charge'}
      </a>
    </article>
  );
};

/** The double-entry ledger: every movement takes from one account and gives the same to another. */
import { formatCents } from '../../contract/money.ts';
import { List, pageSize } from '../../page/list.tsx';
import { Moment } from '../../page/moment.tsx';
import type { World } from '../world/world.ts';
import { pageLinks } from './facts.ts';

interface Entry {
  readonly seq: number;
  readonly source: string;
  readonly target: string;
  readonly amount: number;
  readonly reason: string;
  readonly reference: string | null;
  readonly at: number;
}

interface EntriesProps {
  readonly world: World;
  readonly before: number | null;
  /** Only the entries of this charge or withdrawal. */
  readonly reference: string | null;
}

export const Entries = ({ world, before, reference }: EntriesProps) => {
  const rows = world.store.all<Entry>(
    `SELECT seq, source, target, amount, reason, reference, at FROM transfers
     WHERE seq < ?1 AND (?2 IS NULL OR reference = ?2) ORDER BY seq DESC LIMIT ?3`,
    before ?? Number.MAX_SAFE_INTEGER,
    reference,
    pageSize,
  );
  return (
    <List
      name="Entries"
      items={rows}
      keyOf={({ seq }) => `entry-${seq}`}
      {...pageLinks('entries', before, rows, 'seq')}
      empty={<p>No money has moved.</p>}
      columns={[
        { header: 'Entry', cell: ({ seq }) => `${seq}` },
        { header: 'From', cell: ({ source }) => source },
        { header: 'To', cell: ({ target }) => target },
        { header: 'Amount', kind: 'end', cell: ({ amount }) => formatCents(amount) },
        { header: 'Because', kind: 'wide', cell: ({ reason }) => reason },
        { header: 'Of', kind: 'wide', cell: (entry) => <code>{entry.reference ?? ''}</code> },
        { header: 'At', kind: 'wide', cell: ({ at }) => <Moment at={at} /> },
      ]}
    />
  );
};

/** What the document does not show, what is assumed, and why. */
import { Badge } from '../../page/detail.tsx';
import { List } from '../../page/list.tsx';
import type { Pages } from '../../page/pages.tsx';
import type { Assembly } from '../assembly.ts';
import { listAssumptions } from '../world/choices.ts';

export function assumptionPages({ routes, show }: Pages, { world }: Pick<Assembly, 'world'>): void {
  routes.get('/assumptions', (context) =>
    show(
      context,
      { title: 'Assumptions', section: 'assumptions', topics: ['clock'] },
      <>
        <h1>Assumptions</h1>
        <p class="dim">
          What the service's document does not show. An answer that rests on one carries its id in{' '}
          <code>X-Sandbox-Assumption</code>.
        </p>
        <List
          name="Assumptions"
          items={listAssumptions(world.choices)}
          keyOf={({ id }) => id}
          empty=""
          columns={[
            { header: 'Id', cell: ({ id }) => <code>{id}</code> },
            { header: 'Not shown', kind: 'wide', cell: ({ subject }) => subject },
            { header: 'Assumed', cell: ({ assumed }) => assumed },
            { header: 'Why', kind: 'wide', cell: ({ why }) => why },
            {
              header: 'In force',
              cell: ({ inForce, chosen }) => <Badge tone={chosen ? 'wait' : 'plain'}>{inForce}</Badge>,
            },
          ]}
        />
      </>,
    ),
  );
}

/** The signature lab, with the secrets of this sandbox's endpoints to choose from. */
import { systemClock } from '../../clock.ts';
import type { Pages } from '../../page/pages.tsx';
import { parseLabForm, SignatureLab } from '../../page/signature-lab.tsx';
import type { Assembly } from '../assembly.ts';

export function labPages({ routes, show }: Pages, { world }: Pick<Assembly, 'world'>): void {
  const screen = { title: 'Signature lab', section: 'lab', topics: ['clock'], still: true };
  const secrets = () =>
    new Map(
      world.store
        .all<{ id: string; secret: string }>('SELECT id, secret FROM endpoints ORDER BY seq DESC LIMIT 200')
        .map(({ id, secret }) => [id, secret]),
    );
  const lab = (fields: Record<string, unknown>) => (
    <SignatureLab to="lab" form={parseLabForm(fields)} secrets={secrets()} now={systemClock.now()} />
  );
  routes
    .get('/lab', (context) => show(context, screen, lab({})))
    .post('/lab', async (context) => show(context, screen, lab(await context.req.parseBody())));
}

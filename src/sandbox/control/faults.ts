/** `/__sandbox/faults`: asks for misbehaviour, shows what is in force, ends it. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { FaultTerms } from '../faults/faults.ts';
import { type Preset, type PresetName, presets } from '../faults/presets.ts';
import type { FaultInput } from '../faults/rule.ts';
import type { Machinery } from '../machinery.ts';
import { Refusal } from '../rules/refusal.ts';
import { readBody } from './input.ts';

/** A preset as it is listed. */
export interface NamedPreset extends Preset {
  readonly name: string;
}

/** A preset with some of its terms changed. */
const presetBody = z.looseObject({ preset: z.string(), target: z.optional(z.undefined()) });

export function faultRoutes({ faults }: Machinery): Hono {
  return new Hono()
    .get('/', (context) => context.json(faults.list()))
    .get('/presets', (context) =>
      context.json(
        Object.entries(presets).map(([name, { about, rules }]): NamedPreset => ({ name, about, rules })),
      ),
    )
    .post('/', async (context) => {
      const body = await readBody(context, z.looseObject({}));
      const named = presetBody.safeParse(body);
      if (!named.success) return context.json([faults.add(body as unknown as FaultInput)], 201);
      const { preset, ...over } = named.data;
      return context.json(faults.preset(preset as PresetName, over as FaultTerms), 201);
    })
    .delete('/', (context) => context.json({ cleared: faults.clear() }))
    .delete('/:id', (context) => {
      const id = context.req.param('id');
      if (faults.clear(id) === 0) throw new Refusal('NOT_FOUND', `there is no fault ${id} in force`);
      return context.json({ cleared: 1 });
    });
}

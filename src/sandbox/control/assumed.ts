/** Says in `openapi.json` what rests on open points, and what this sandbox does there. */
import { type AssumptionId, assumptions } from '../../contract/assumptions.ts';
import type { World } from '../world/world.ts';

/** Returns the member `x-assumed`, or none if there is nothing to say. */
export const assumedMember = (ids: readonly AssumptionId[], world: World): object =>
  ids.length === 0 ? {} : { 'x-assumed': Object.fromEntries(ids.map((id) => [id, describe(id, world)])) };

/** The words of an entry describe its first choice. */
function describe(id: AssumptionId, world: World): string {
  const { assumed, choices } = assumptions[id];
  const inForce = world.assume(id);
  return inForce === choices[0] ? assumed : `${inForce}; by default: ${assumed}`;
}

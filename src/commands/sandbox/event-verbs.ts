/** Flags of `events`, `emit`, `deliveries` and `replay`; their bodies are loaded when they run. */
import { type Command, Option } from 'commander';
import { withHelp } from '../../flags/help.ts';
import type { Runtime } from '../../runtime.ts';
import type { DeliveryFlags } from './events/delivery.ts';
import type { EmitFlags, EventFlags } from './events/event.ts';
import { readingExits, recordExits } from './exits.ts';

const views = () => import('./events/view.ts');
const events = () => import('./events/event.ts');
const deliveries = () => import('./events/delivery.ts');

/** Adds `events`, `emit`, `deliveries` and `replay` to `pixctl sandbox`. */
export function addEventVerbs(sandbox: Command, runtime: Runtime): void {
  addEvents(sandbox, runtime);
  addDeliveries(sandbox, runtime);
}

function addEvents(sandbox: Command, runtime: Runtime): void {
  withHelp(
    sandbox
      .command('events')
      .description('list what happened, oldest first; --follow continues as it happens')
      .option('-f, --follow', 'wait for further events until Ctrl-C, or for as long as --timeout says')
      .option('-e, --event <name>', 'only these, like CHARGE_PAID')
      .option('--about <id>', 'only those about this charge, withdrawal or other record')
      .option('--merchant <id>', 'only those of this merchant')
      .option('-n, --limit <n>', 'at most this many past ones, the newest; 1 to 1000', '20')
      .action(async (flags: EventFlags) => (await events()).listEvents(runtime, flags)),
    {
      examples: {
        'pixctl sandbox events --follow': 'in a terminal of its own',
        'pixctl sandbox events --about chg_1 -o json': 'with the data that was sent',
      },
      exits: ['usage', ...readingExits],
      view: async () => (await views()).eventView,
    },
  );
  withHelp(
    sandbox
      .command('emit')
      .description('make an event by hand, one that no API call causes')
      .argument('<event>', 'its name: CHECKOUT_PAID, CHECKOUT_REFUNDED, CHARGE_EXPIRED, or any other')
      .option('--data <json>', 'its data: JSON, @file, or @- for stdin; an id is added when it has none')
      .option('--merchant <id>', "this merchant's (default: the first)")
      .action(async (event: string, flags: EmitFlags) => (await events()).emitEvent(runtime, event, flags)),
    {
      prompts: {
        event: async () => (await import('../../runtime/choose.ts')).askText(runtime, 'Name of the event:'),
      },
      examples: {
        'pixctl sandbox emit CHECKOUT_PAID --data \'{"amount":5000}\'':
          'delivered to every endpoint that subscribes to it',
        'pixctl sandbox emit CHARGE_EXPIRED --data @charge.json': 'with data from a file',
      },
      exits: ['usage', ...recordExits],
      view: async () => (await views()).eventView,
    },
  );
}

function addDeliveries(sandbox: Command, runtime: Runtime): void {
  withHelp(
    sandbox
      .command('deliveries')
      .description('list deliveries, newest first, each with its result and reason')
      .option('-e, --event <id>', 'of this event: evt_..., or a name like CHARGE_PAID')
      .option('--endpoint <id>', 'to this endpoint: wh_...')
      .addOption(new Option('--state <state>', 'only these').choices(['pending', 'delivered', 'failed']))
      .option('-n, --limit <n>', 'at most this many, 1 to 1000', '20')
      .action(async (flags: DeliveryFlags) => (await deliveries()).listDeliveries(runtime, flags)),
    {
      examples: {
        'pixctl sandbox deliveries --state failed': 'with the reason of each in words',
        'pixctl sandbox deliveries --event evt_1 -o json':
          'every attempt: headers, body, what was signed, the answer',
      },
      exits: ['usage', ...readingExits],
      view: async () => (await views()).deliveryView,
    },
  );
  withHelp(
    sandbox
      .command('replay')
      .description('send an event again, newly signed, to every endpoint that it was sent to')
      .argument('<event id>', 'id of the event, evt_...')
      .option('--identical', 'with the signature of the last attempt, its old t included')
      .action(async (eventId: string, flags: { identical?: boolean }) =>
        (await deliveries()).replayEvent(runtime, eventId, flags),
      ),
    {
      prompts: { 'event id': async () => (await import('./choose.ts')).chooseEvent(runtime) },
      examples: {
        'pixctl sandbox replay evt_1': 'a receiver must process it only once, and answer 2xx again',
        'pixctl sandbox replay evt_1 --identical': 'a receiver must refuse it once it is old',
      },
      exits: [...recordExits, 'pending', 'endedBadly'],
      view: async () => (await views()).deliveryView,
    },
  );
}

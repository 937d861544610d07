/**
 * A process that claims an event of the inbox at argv[2] for `signer-1`, says so and runs on: for the tests to kill.
 */
import { systemClock } from '../../src/clock.ts';
import { openInbox } from '../../src/inbox/open.ts';

const inbox = await openInbox({ url: process.argv[2] ?? '', clock: systemClock });
await inbox.add({
  source: 'signer-1',
  eventId: 'evt_1',
  event: 'CHARGE_PAID',
  body: new TextEncoder().encode('{"id":"evt_1"}'),
  headers: [],
  origin: 'delivery',
  forward: 'claim',
});
process.stdout.write('claimed\n');
setInterval(() => {}, 60_000);

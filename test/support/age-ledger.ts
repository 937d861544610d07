/** Time that passes in a ledger file, by either of the clocks that a send is judged by. */
import { changeLedger } from './change-ledger.ts';

/** Makes every send of the file look as old as that many seconds more. */
export function ageSends(path: string, seconds: number): void {
  const ms = seconds * 1000;
  changeLedger(
    path,
    `UPDATE ledger_events SET details = json_set(details, '$.uptimeMs', json_extract(details, '$.uptimeMs') - ${ms})
      WHERE what = 'sending';
    UPDATE ledger_intents SET sent_at = sent_at - ${ms};`,
  );
}

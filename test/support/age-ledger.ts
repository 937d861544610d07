/** Time that passes in a ledger file, by either of the clocks that a send is judged by. */
import { changeLedger } from './change-ledger.ts';

/** Makes every send of the file look as old as that many seconds more. */
export const ageSends = (path: string, seconds: number): void =>
  changeLedger(
    path,
    `UPDATE ledger_events SET details = json_set(details, '$.uptimeMs', json_extract(details, '$.uptimeMs') - ${seconds * 1000})
      WHERE what = 'sending';
    UPDATE ledger_intents SET sent_at = sent_at - ${seconds * 1000};`,
  );

/** Makes every report of a possible duplicate look as old as that: a clock that is behind wrote it. */
export const ageReports = (path: string, seconds: number): void =>
  changeLedger(path, `UPDATE ledger_events SET at = at - ${seconds * 1000} WHERE what = 'held';`);

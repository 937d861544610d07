/** Changes a ledger file behind pixctl's back, in ways that its own triggers forbid. */
import { DatabaseSync } from 'node:sqlite';

/** Its triggers are away only meanwhile: without them, the ledger is refused. */
export function changeLedger(path: string, statements: string): void {
  const ledger = new DatabaseSync(path);
  const triggers = ledger.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) ledger.exec(`DROP TRIGGER ${name}`);
  ledger.exec(statements);
  for (const { sql } of triggers) ledger.exec(String(sql));
  ledger.close();
}

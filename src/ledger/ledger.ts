/** The durable record of intents and their events (DESIGN "Safe withdrawals"). */
export interface Ledger {
  close(): Promise<void>;
}

/** The durable record of received deliveries and their forwards (DESIGN "Webhooks"). */
export interface Inbox {
  close(): Promise<void>;
}

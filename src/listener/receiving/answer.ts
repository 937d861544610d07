/** What a delivery is answered with. */

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Anybody may have sent it: it is not genuine, or came too early to be judged. */
  readonly refused?: true;
}

export const answer = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });

export const acknowledgement = (duplicate: boolean): Answer => (duplicate ? receivedAgain : receivedOnce);
const receivedOnce: Answer = { status: 200, body: '{"received":true}' };
const receivedAgain: Answer = { status: 200, body: '{"received":true,"duplicate":true}' };

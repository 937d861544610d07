/** Deliveries as the service sends them, signed by code that is independent of ours. */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

export const testSecret = 'whsec_test_0123456789abcdef';

/** `t=...,v1=...` straight from the document's words. */
export const signatureOf = (body: string | Buffer, secret = testSecret, t = Math.floor(Date.now() / 1000)) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`;

export const eventBody = (id: string, event = 'CHARGE_PAID', amount = 12_345): string =>
  JSON.stringify({
    id,
    event,
    createdAt: '2026-01-02T03:04:05.000Z',
    data: { id: 'chg_1', amount, status: 'PAID' },
  });

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true });

/** Rejects when no answer came. */
export function deliver(
  url: string,
  body: string | Buffer,
  headers: Record<string, string | string[]> = { 'Service-Signature': signatureOf(body) },
  method = 'POST',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      agent,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * A service that costs next to nothing, so that the client is what is measured. The pages are made once, and only the
 * ids and the cursor differ. It speaks the documented paths, and a charge in the form that the Stripe CLI asks for.
 */
import { createServer } from 'node:http';
import { listenOnLoopback } from '../test/support/listen-on-loopback.ts';

export interface BenchService {
  readonly url: string;
  /** Returns how many requests it has had so far. */
  requestCount(): number;
  close(): Promise<void>;
}

/** 1.7 KB like the sandbox's own, nearly all of it the picture of the QR code. */
const charge = (id: string) => ({
  id,
  amount: 1050,
  status: 'PAID',
  txid: 'pixctl00000000000000000000000000001',
  brCode: `00020101021226900014BR.GOV.BCB.PIX2568${'qrcodes-pix.example.com/v2/1945cd30c786425ab6121bba9f49d44052040000'}`,
  imageBase64: `data:image/png;base64,${'iVBORw0KGgo'.repeat(110)}`,
  expiresAt: '2026-01-03T03:04:05.000Z',
  customer: {
    id: 'cust_1',
    name: 'Maria da Silva',
    taxId: '529.982.247-25',
    email: 'maria@example.com',
    phone: null,
  },
  createdAt: '2026-01-02T03:04:05.000Z',
});

/** Lists `total` charges, `limit` at a time. */
export async function startService(total: number): Promise<BenchService> {
  const template = JSON.stringify(charge('chg_#########'));
  const page = (from: number, size: number): string => {
    const items: string[] = [];
    for (let at = from; at < Math.min(from + size, total); at++)
      items.push(template.replace('#########', String(at).padStart(9, '0')));
    const hasMore = from + size < total;
    const pagination = { hasMore, next: hasMore ? `c${from + size}` : null, before: null };
    return `{"data":[${items.join(',')}],"pagination":${JSON.stringify(pagination)},"error":null,"success":true}`;
  };
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const url = new URL(request.url ?? '/', 'http://localhost');
    const limit = Number(url.searchParams.get('limit') ?? 20);
    const body = url.pathname.endsWith('/transparents/list')
      ? page(Number(url.searchParams.get('after')?.slice(1) ?? 0), limit)
      : url.pathname.endsWith('/transparents/check')
        ? JSON.stringify({ data: charge(url.searchParams.get('id') ?? ''), error: null, success: true })
        : JSON.stringify({ ...charge('ch_1'), object: 'charge' });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requestCount: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

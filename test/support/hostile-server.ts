/** A server on loopback that answers as it is told, well or badly, and remembers all that it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from './listen-on-loopback.ts';

export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface HostileServer extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
}

export type Answer = (response: ServerResponse, request: Received) => void;

/** Answers every request with `answer`, which may also destroy the socket. */
export async function hostileServer(answer: Answer): Promise<HostileServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const whole = { method, path: url, headers, body };
      received.push(whole);
      answer(response, whole);
    });
  });
  const url = await listen(server);
  return {
    url,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await closed(server);
    },
  };
}

/** Hands each bare connection to `meet`, before any HTTP. */
export async function bareServer(meet: (socket: Socket) => void): Promise<{ url: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    meet(socket);
  });
  const url = await listen(server);
  return {
    url,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await closed(server);
    },
  };
}

/** Sends `body` as JSON. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const success = (data: unknown) => ({ data, error: null, success: true });
export const failure = (error: string, message: string) => ({ error, message, success: false });

/** A charge as the document shows it. Its code is the public one of the known answers. */
export const someCharge = {
  id: 'chg_1',
  amount: 1050,
  status: 'PENDING',
  txid: 'tx1',
  brCode:
    '00020101021226900014BR.GOV.BCB.PIX2568qrcodes-pix-h.gerencianet.com.br/v2/1945cd30c786425ab6121bba9f49d4405204000053039865802BR5914GERENCIANET SA6010OURO PRETO62070503***6304E615',
  imageBase64: 'data:image/png;base64,AAAA',
  createdAt: '2026-01-02T03:04:05.000Z',
};

const listen = async (server: Server): Promise<string> =>
  `http://127.0.0.1:${await listenOnLoopback(server)}`;

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/**
 * The service that `stripe listen` talks to, as far as a bench needs it: a session, and a WebSocket that events are
 * pushed through (https://github.com/stripe/stripe-cli, pkg/stripeauth and pkg/websocket). On loopback.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { listenOnLoopback } from '../test/support/listen-on-loopback.ts';
import { temporaryHome } from './home.ts';
import type { Send } from './one-by-one.ts';

export interface Stripe {
  /** Resolves when the application's answer to the event has been reported. */
  readonly send: Send;
  stop(): void;
}

export async function startStripe(program: string, forwardTo: string): Promise<Stripe> {
  const server = createServer((request, response) => {
    const url = `ws://127.0.0.1:${port}/socket`;
    request.resume().on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      response.end(
        JSON.stringify({
          websocket_url: url,
          websocket_id: 'bench',
          websocket_authorized_feature: 'webhooks',
          reconnect_delay: 3_600,
          secret: 'whsec_bench',
        }),
      );
    });
  });
  const connected = new Promise<Socket>((resolve) => {
    server.on('upgrade', (request, socket) => {
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      resolve(socket as Socket);
    });
  });
  const port = await listenOnLoopback(server);
  const home = temporaryHome();
  const base = `http://127.0.0.1:${port}`;
  const key = `sk_test_${'0'.repeat(24)}`;
  const options = [
    '--api-base',
    base,
    '--api-key',
    key,
    '--no-wss',
    '--skip-update',
    '--events',
    'charge.succeeded',
    '--forward-to',
    forwardTo,
  ];
  const child = spawn(program, ['listen', ...options], { env: home.env, stdio: 'ignore' });
  const failed = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`stripe listen ended with ${code}`)));
  });
  const socket = await Promise.race([connected, failed]);
  failed.catch(() => {});
  socket.setNoDelay(true);
  let told = () => {};
  socket.on(
    'data',
    createFrameReader((text) => text.includes('"type":"webhook_response"') && told()),
  );
  return {
    send(number) {
      const answered = new Promise<void>((resolve) => {
        told = resolve;
      });
      socket.write(frame(eventMessage(number)));
      return answered;
    },
    stop() {
      child.kill();
      socket.destroy();
      server.close();
      home.remove();
    },
  };
}

const eventMessage = (number: number): string =>
  JSON.stringify({
    type: 'webhook_event',
    webhook_id: `wh_${number}`,
    webhook_conversation_id: `wc_${number}`,
    endpoint: { api_version: null },
    http_headers: { 'Content-Type': 'application/json', 'Stripe-Signature': 't=1,v1=0' },
    event_payload: JSON.stringify({
      id: `evt_${number}`,
      object: 'event',
      type: 'charge.succeeded',
      data: { object: { id: 'ch_1', amount: 1050, status: 'succeeded' } },
    }),
  });

/** Returns one text frame of a server (RFC 6455, 5.2), up to 65,535 bytes. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([0x81, 126, payload.byteLength >> 8, payload.byteLength & 0xff]);
  return Buffer.concat(
    payload.byteLength < 126 ? [Buffer.from([0x81, payload.byteLength]), payload] : [head, payload],
  );
}

/** Reads the client's frames, which are masked, and calls `tell` for each message. */
function createFrameReader(tell: (text: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let whole = firstFrame(rest); whole !== null; whole = firstFrame(rest)) {
      rest = rest.subarray(whole.end);
      tell(whole.text);
    }
  };
}

function firstFrame(bytes: Buffer): { text: string; end: number } | null {
  if (bytes.byteLength < 2) return null;
  const short = (bytes[1] as number) & 0x7f;
  const head = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.byteLength < head + 4) return null;
  const length =
    short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  const end = head + 4 + length;
  if (bytes.byteLength < end) return null;
  const mask = bytes.subarray(head, head + 4);
  const text = bytes.subarray(head + 4, end).map((byte, index) => byte ^ (mask[index % 4] as number));
  return { text: Buffer.from(text).toString(), end };
}

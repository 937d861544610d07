/** An answer that is written before its request has come whole. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { endAfterRequest } from '../../src/plain/handed-over.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';

it('ends the connection of a request that is longer than anybody reads, after one answer', async () => {
  const slow = { requestTimeout: 500, headersTimeout: 500, connectionsCheckingInterval: 50 };
  const server = createServer({ ...slow, keepAliveTimeout: 60_000 }, (_request, response) => {
    response.writeHead(401, { 'Content-Length': 2 }).write('no');
    endAfterRequest(response);
  });
  const port = await listenOnLoopback(server);
  const client = connect(port, '127.0.0.1').on('error', () => {});
  let answer = '';
  client.setEncoding('latin1').on('data', (text) => (answer += text));
  const closed = once(client, 'close');
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n');
  const piece = Buffer.alloc(1024 * 1024);
  for (let count = 0; count < 66; count += 1) client.write(piece);
  await closed;
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  expect(answer).toMatch(/\r\n\r\nno$/);
  server.close();
});

it('keeps the connection of one that comes whole', async () => {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('here');
    response.writeHead(401, { 'Content-Length': 2 }).write('no');
    endAfterRequest(response);
  });
  const port = await listenOnLoopback(server);
  const client = connect(port, '127.0.0.1');
  let answer = '';
  client.setEncoding('latin1').on('data', (text) => (answer += text));
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n');
  await expect.poll(() => answer).toMatch(/no$/);
  client.write('hiGET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => answer).toMatch(/here/);
  client.destroy();
  server.close();
});

import { STATUS_CODES } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Head, reasonOf, writeHead } from '../../src/plain/answer.ts';

describe('the head of an answer', () => {
  const headers = { 'Content-Type': 'application/json' };
  const now = Date.UTC(2026, 0, 2, 3, 4, 5, 999);
  const usual: Head = { status: 200, headers, length: 2, keepAliveSeconds: 5, now };
  const text =
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length: 2\r\n' +
    'Date: Fri, 02 Jan 2026 03:04:05 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n';

  it('is written as node:http writes it', () => {
    expect(writeHead(usual)).toBe(text);
  });

  it('has the words of node:http for each final status, also for one that a fault makes up', () => {
    const statuses = Object.keys(STATUS_CODES).map(Number);
    const final = [...statuses.filter((status) => status >= 200), 299, 520, 599];
    expect(final.map((status) => [status, reasonOf(status)])).toEqual(
      final.map((status) => [status, STATUS_CODES[status] ?? 'unknown']),
    );
  });

  it.each<[string, Partial<Head>, string]>([
    ['status', { status: 400 }, text.replace('200 OK', '400 Bad Request')],
    [
      'headers',
      { headers: { 'X-Other': 'a' } },
      text.replace('Content-Type: application/json', 'X-Other: a'),
    ],
    ['length', { length: 30 }, text.replace('length: 2', 'length: 30')],
    ['no body', { length: null }, text.replace('content-length: 2\r\n', '')],
    [
      'the last one',
      { keepAliveSeconds: null },
      text.replace(/keep-alive\r\nKeep-Alive: timeout=5/, 'close'),
    ],
    ['second', { now: now + 1 }, text.replace('04:05', '04:06')],
  ])('is its own whatever was written before: another %s', (_, change, expected) => {
    expect(writeHead(usual)).toBe(text);
    expect(writeHead({ ...usual, ...change })).toBe(expected);
    expect(writeHead({ ...usual, now: now - 999 })).toBe(text);
  });
});

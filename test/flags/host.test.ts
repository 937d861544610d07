import { expect, it } from 'vitest';
import { isHostName, parseAddress } from '../../src/flags/host.ts';

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '0.0.0.0'],
  ['192.168.1.5', '192.168.1.5'],
  ['::', '::'],
  ['0:0::0', '::'],
  ['FD00::0002', 'fd00::2'],
  ['localhost', null],
  ['', null],
  ['127.1', null],
  ['010.0.0.1', null],
  ['1.2.3.256', null],
  ['fe80::1%eth0', null],
  ['[::1]', null],
  ['::1]:80/[', null],
  ['127.0.0.1:4010', null],
  ['http://127.0.0.1', null],
])('as an address, %j is %j', (text, address) => {
  expect(parseAddress(text)).toBe(address);
});

it.each([
  ['sandbox', true],
  ['my_sandbox.local', true],
  ['192.168.1.5', true],
  ['fd00::2', true],
  ['', false],
  ['*', false],
  ['*.example.com', false],
  ['sandbox:4010', false],
  ['http://sandbox', false],
  ['a b', false],
  ['.local', false],
  ['999.1.1.1', false],
])('%j is a host name: %s', (text, is) => {
  expect(isHostName(text)).toBe(is);
});

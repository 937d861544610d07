import { expect, it } from 'vitest';
import { isMetadataAddress, isPrivateHost } from '../../src/contract/private-host.ts';

const hostOf = (host: string) => new URL(`http://${host}`).hostname;

it.each([
  ['app', true],
  ['my_app-1', true],
  ['App', true],
  ['app.default.svc.cluster.local', true],
  ['host.docker.internal:3000', true],
  ['nas.home.arpa', true],
  ['shop.localhost', true],
  ['10.1.2.3', true],
  ['10.1', true],
  ['172.16.0.1', true],
  ['172.31.255.255', true],
  ['192.168.0.7', true],
  ['[fd00::2]', true],
  ['[FC00:0::2]', true],
  ['localhost', false],
  ['127.0.0.1', false],
  ['[::1]', false],
  ['example.com', false],
  ['local.example.com', false],
  ['notlocal', true],
  ['shop.notlocal', false],
  ['app.', false],
  ['11.1.2.3', false],
  ['100.10.1.2', false],
  ['172.15.0.1', false],
  ['172.32.0.1', false],
  ['192.169.0.1', false],
  ['169.254.169.254', false],
  ['3000', false],
  ['0.0.0.0', false],
  ['[2001:db8::1]', false],
  ['[fe80::1]', false],
  ['[::ffff:10.0.0.1]', false],
  ['[fd00:ec2::254]', false],
  ['[FD00:0ec2:0::254]', false],
  ['[fd20:ce::254]', false],
  ['[fd00:ec21::1]', true],
])('%s is private: %s', (host, is) => {
  expect(isPrivateHost(hostOf(host))).toBe(is);
});

it.each([
  ['169.254.169.254', true],
  ['::ffff:169.254.169.254', true],
  ['169.254.170.2', true],
  ['169.254.0.23', true],
  ['100.100.100.200', true],
  ['192.0.0.192', true],
  ['168.63.129.16', true],
  ['fd00:ec2::254', true],
  ['fd20:ce::254', true],
  ['fe80::a9fe:a9fe%eth0', true],
  ['64:ff9b::a9fe:a9fe', true],
  // Where podman puts its host, and neighbours without a server that gives addresses.
  ['169.254.1.2', false],
  ['fe80::1%eth0', false],
  ['127.0.0.1', false],
  ['::1', false],
  ['10.169.254.169', false],
  ['', false],
])('%s hands out the credentials of a cloud machine: %s', (address, is) => {
  expect(isMetadataAddress(address)).toBe(is);
});

/** A real OpenSSH server on loopback, with keys and settings of its own in a temporary directory. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const sshd = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd'].find(existsSync);

/** Why there is no server, for a visible skip; null when there can be one. */
export const sshMissing: string | null =
  sshd === undefined
    ? 'no sshd on this machine'
    : userInfo().uid === 0 || existsSync('/run/sshd')
      ? null
      : 'sshd cannot run here (no /run/sshd)';

export interface SshServer {
  /** `user@127.0.0.1:port`. */
  readonly destination: string;
  /** For the client: identity and known hosts. */
  readonly clientConfig: string;
  stop(): Promise<void>;
}

export async function startSshServer(): Promise<SshServer> {
  if (sshd === undefined) throw new Error(String(sshMissing));
  // As root it insists on its directory for separated privileges.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  const home = mkdtempSync(join(tmpdir(), 'pixctl-ssh-'));
  const file = (name: string) => join(home, name);
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  }
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    // Else a port that it gives out may be its own on ::1 only, and somebody else's on 127.0.0.1.
    'AddressFamily inet',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('user')}.pub`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    'AllowTcpForwarding yes',
  ];
  writeFileSync(file('sshd_config'), `${lines.join('\n')}\n`);
  const client = [
    `IdentityFile ${file('user')}`,
    'IdentitiesOnly yes',
    `UserKnownHostsFile ${file('known')}`,
    'StrictHostKeyChecking accept-new',
  ];
  writeFileSync(file('ssh_config'), `${client.join('\n')}\n`);
  const server = spawn(sshd, ['-D', '-e', '-f', file('sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Server listening')) resolve();
    });
    server.once('error', reject);
    server.once('close', () => reject(new Error(`sshd ended: ${said}`)));
  });
  return {
    destination: `${userInfo().username}@127.0.0.1:${port}`,
    clientConfig: file('ssh_config'),
    stop: () =>
      new Promise((resolve) => {
        server.removeAllListeners('close').once('close', () => resolve());
        server.kill();
      }),
  };
}

/**
 * Another machine as far as the network goes: a network namespace of its own, joined to this one by a cable. What a
 * container is to its host.
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { noIpv6 } from './platform.ts';

export interface OtherMachine extends Disposable {
  /** Addresses of this machine, as the other one knows them. */
  readonly here: { readonly ipv4: string; readonly ipv6: string };
  /** Runs a Node program there; resolves with its output. */
  run(script: string): Promise<string>;
}

const ip = (...words: readonly string[]) => execFileSync('ip', words, { stdio: 'pipe' });

/** Why there can be none here; null if there can. It takes root, Linux and iproute2. */
export const noNamespaces: string | null = (() => {
  if (process.platform !== 'linux') return 'there are no network namespaces';
  if (noIpv6 !== null) return noIpv6;
  const name = `pixctl-try-${process.pid}`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'exec', name, 'true');
    return null;
  } catch {
    return 'this user may make no network namespaces';
  } finally {
    try {
      ip('netns', 'del', name);
    } catch {}
  }
})();

export function createOtherMachine(): OtherMachine {
  const number = randomInt(2 ** 15);
  const name = `pixctl-${process.pid}-${number}`;
  const [near, far] = [`pixctl${number}a`, `pixctl${number}b`];
  const there = (...words: readonly string[]) => ip('netns', 'exec', name, 'ip', ...words);
  // A network of four addresses in 198.18.0.0/15, which is for such tests and nobody's (RFC 2544).
  const ipv4 = (host: number) =>
    [198, 18 + (number >> 14), (number >> 6) & 255, (number & 63) * 4 + host].join('.');
  const ipv6 = (host: number) => `fd33:${number.toString(16)}::${host}`;
  ip('netns', 'add', name);
  try {
    ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name);
    ip('addr', 'add', `${ipv4(1)}/30`, 'dev', near);
    ip('-6', 'addr', 'add', `${ipv6(1)}/64`, 'dev', near, 'nodad');
    ip('link', 'set', near, 'up');
    there('addr', 'add', `${ipv4(2)}/30`, 'dev', far);
    there('-6', 'addr', 'add', `${ipv6(2)}/64`, 'dev', far, 'nodad');
    there('link', 'set', far, 'up');
  } catch (error) {
    ip('netns', 'del', name);
    throw error;
  }
  return {
    here: { ipv4: ipv4(1), ipv6: ipv6(1) },
    run: (script) =>
      new Promise((resolve, reject) => {
        const words = ['netns', 'exec', name, process.execPath, '--input-type=module', '-e', script];
        execFile('ip', words, { timeout: 60_000 }, (error, stdout, stderr) =>
          error === null ? resolve(stdout) : reject(new Error(`${error.message}\n${stderr}`)),
        );
      }),
    // The cable goes with it.
    [Symbol.dispose]: () => void ip('netns', 'del', name),
  };
}

/** The port of a listener that was told none, and another listener that has it. */
import { describe, expect, it } from 'vitest';
import {
  listenOnDefaultPort,
  reportOtherListener,
} from '../../../../src/commands/webhook/listen/default-port.ts';
import { PixctlError } from '../../../../src/errors.ts';

const noAddress = new PixctlError('config', 'CANNOT_LISTEN', 'this machine has no such address');
const denied = new PixctlError('config', 'CANNOT_LISTEN', 'this user may not use that port', {
  cause: Object.assign(new Error('listen EACCES'), { code: 'EACCES' }),
});
const taken = new PixctlError('config', 'PORT_IN_USE', 'another program listens there');

/** The ports that were tried, and whether another listener was told of. */
async function tried({ port = null as number | null, isTaken = true, isListener = true, fault = taken }) {
  const ports: number[] = [];
  let told = false;
  const listenOn = async (at: number) => {
    ports.push(at);
    if (isTaken && at === 4400) throw fault;
    return at;
  };
  const other = async () => isListener;
  await listenOnDefaultPort({ port }, listenOn, () => (told = true), other);
  return { ports, told };
}

describe('a listener that was told no port', () => {
  it('has the usual one, or any other, and tells of a listener that has it', async () => {
    expect(await tried({ isTaken: false })).toEqual({ ports: [4400], told: false });
    expect(await tried({})).toEqual({ ports: [4400, 0], told: true });
    expect(await tried({ isListener: false })).toEqual({ ports: [4400, 0], told: false });
    expect(await tried({ port: 5000 })).toEqual({ ports: [5000], told: false });
  });

  it('has any other too where the system keeps the usual one from everybody, as Windows may', async () => {
    expect(await tried({ fault: denied, isListener: false })).toEqual({ ports: [4400, 0], told: false });
    await expect(tried({ fault: noAddress })).rejects.toBe(noAddress);
  });

  it('fails where it may not listen at all', async () => {
    await expect(
      listenOnDefaultPort(
        { port: null },
        () => Promise.reject(denied),
        () => {},
      ),
    ).rejects.toBe(denied);
  });

  it('warns of events that come twice where each registers an endpoint of its own', () => {
    const said: string[] = [];
    const output = {
      note: (text: string) => said.push(`note: ${text}`),
      warn: (text: string) => said.push(text),
    };
    for (const kind of ['register', 'given', 'local'] as const) reportOtherListener(output, { kind });
    const runs = 'Another listener is using port 4400 of this machine, so this one uses another.';
    expect(said).toEqual([
      `${runs} If it is registered with this service too, an application that both forward to gets each event twice, under two ids.`,
      `note: ${runs}`,
      `note: ${runs}`,
    ]);
  });
});

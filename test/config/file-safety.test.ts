/** Whether a file of ours may be trusted, and what to do when not. */
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readKeyFile } from '../../src/config/api-key.ts';
import { existsSafely } from '../../src/config/file-safety.ts';
import { moveAwayHint } from '../../src/flags/file-remedies.ts';
import { emptyHome, run } from '../support/run.ts';

const uid = process.getuid?.();
const owner = { platform: process.platform, uid };

/** What `look` throws, for a user who may not enter every directory. */
function refusal(look: () => unknown): unknown {
  if (uid === 0) process.seteuid?.(65_534);
  try {
    return look();
  } catch (error) {
    return error;
  } finally {
    if (uid === 0) process.seteuid?.(0);
  }
}

describe.skipIf(uid === undefined)('a path that cannot be trusted', () => {
  it.each([
    [
      'ours',
      uid === 0 ? 65_534 : (uid ?? 0),
      (closed: string) => `Give yourself access: chmod 700 '${closed}'`,
    ],
    [
      "another user's",
      4_242,
      (closed: string, its: number) =>
        `'${closed}' belongs to another user (uid ${its}, and this is uid 4242), as in a container or under sudo where HOME is still that of root. Set HOME, or PIXCTL_CONFIG_DIR and PIXCTL_STATE_DIR, to directories of your own.`,
    ],
  ])('below a closed directory is told by that directory: %s', (_, me, hint) => {
    const home = emptyHome();
    chmodSync(home, 0o755);
    const closed = join(home, 'closed');
    mkdirSync(join(closed, 'pixctl'), { recursive: true });
    writeFileSync(join(closed, 'pixctl', 'config.json'), '{}');
    chmodSync(closed, 0o000);
    const its = uid === 0 ? 65_534 : (uid ?? 0);
    if (uid === 0) chownSync(closed, its, -1);
    const failure = refusal(() =>
      existsSafely(join(closed, 'pixctl', 'config.json'), 'file', { ...owner, uid: me }),
    );
    chmodSync(closed, 0o700);
    expect(failure).toMatchObject({
      code: 'UNREADABLE',
      hint: hint(closed, its),
    });
  });

  it('is a link: a key file is named otherwise than a directory of settings', () => {
    const path = join(emptyHome(), 'link');
    symlinkSync('/dev/null', path);
    expect(() => existsSafely(path, 'file', owner)).toThrow(
      expect.objectContaining({
        // Not first: the first word of an error is written with a capital, and `key` is another file than `Key`.
        message: `The file ${path} is not used: it is a symbolic link. Nothing was sent.`,
        hint: 'Put the file itself there, or point PIXCTL_CONFIG_DIR at its directory.',
      }),
    );
    expect(() => readKeyFile(path, owner)).toThrow(
      expect.objectContaining({
        message: `The file ${path} is not used: it is a symbolic link. Nothing was sent.`,
      }),
    );
    expect(() => readKeyFile(path, owner)).toThrow(
      expect.objectContaining({ hint: 'Put the file itself there, or name the file that it points to.' }),
    );
  });

  it('is something else: what the user has named is not to be moved away', () => {
    const home = emptyHome();
    const path = join(home, 'config.json');
    writeFileSync(path, '{}', { mode: 0o600 });
    const thrown = (hint: string) => expect.objectContaining({ code: 'UNSAFE_FILE', hint });
    expect(() => existsSafely(path, 'directory', owner)).toThrow(
      thrown('Set PIXCTL_CONFIG_DIR and PIXCTL_STATE_DIR to directories of your own.'),
    );
    expect(() => readKeyFile(home, owner)).toThrow(thrown('Name the file that holds the key.'));
    expect(() => existsSafely(home, 'file', owner)).toThrow(thrown(`Move it away: ${moveAwayHint(home)}`));
  });
});

it.skipIf(process.platform !== 'linux')('a place in which nothing can be made ends a run', async () => {
  // To root it is as the /home of an automounter that does not know the user: there, and ENOENT for what is made in it.
  const { code, stderr } = await run(['config', 'set', 'timeout', '5s'], { home: `/proc/${process.pid}` });
  expect({ code, says: stderr.includes('cannot be created (E') }).toEqual({ code: 78, says: true });
  const pay = ['withdraw', '--amount', '100', '--to', 'a@example.com', '--type', 'EMAIL'];
  const unpaid = await run([...pay, '--idempotency-key', 'k-1', '--yes'], {
    home: `/proc/${process.pid}`,
    env: { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_canary' },
  });
  expect(unpaid).toMatchObject({ code: 74, stderr: expect.stringContaining('nothing was sent') });
});

/**
 * The hidden drafts of a result file. Each names the process that writes it, so that what a kill left behind can be
 * removed.
 */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Owner, Owners } from '../../owner/owner.ts';

/**
 * Returns where a process writes a result before renaming it into place: in the same folder, so that a rename works.
 */
export const draftOf = (path: string, owner: Owner): string =>
  join(dirname(path), `${prefixOf(path, owner)}${owner.pid}.${wordOf(owner.started)}.${randomWord()}.tmp`);

/**
 * Removes the drafts of this result whose process is certainly gone. Those of another host, container or boot stay,
 * because that cannot be seen from here. Never rejects: a leftover draft does no harm.
 */
export async function sweepDrafts(path: string, { self, liveness }: Owners): Promise<void> {
  const prefix = prefixOf(path, self);
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const [, pid, word] = /^(\d+)\.([\w-]*)\.[\w-]+\.tmp$/.exec(name.slice(prefix.length)) ?? [];
    if (pid === undefined || word === undefined) continue;
    const started = Buffer.from(word, 'base64url').toString();
    if ((await liveness({ ...self, pid: Number(pid), started })) === 'gone')
      await rm(join(dirname(path), name), { force: true }).catch(() => {});
  }
}

/** Only the beginning of the name, because a name of nearly 255 bytes leaves no room for the rest of the draft's. */
const prefixOf = (path: string, { host, boot }: Owner): string => {
  const name = basename(path);
  const digest = createHash('sha256').update(`${host} ${boot} ${name}`).digest('hex').slice(0, 12);
  return `.${[...name].slice(0, 40).join('')}.${digest}.`;
};

const wordOf = (text: string): string => Buffer.from(text).toString('base64url');
const randomWord = (): string => Math.random().toString(36).slice(2, 10);

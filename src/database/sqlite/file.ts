/** The file of a SQLite database: private, and on a disk of this machine. */
import { chmodSync, closeSync, openSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, win32 } from 'node:path';
import { configError, storageError } from '../../errors.ts';
import { makeDirectory } from '../make-directory.ts';
import { assertSingleName, mountTable } from './one-name.ts';

/** File systems shared over a network, by their `statfs` type on Linux: WAL needs memory that its users share. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0x20030528, 'OrangeFS'],
  [0xaad7aaea, 'PanFS'],
  [0xbeefdead, 'StorNext'],
  // Shared between a virtual machine and its host, which do not see each other's locks.
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
  [0x7c7c6673, 'prl_fs'],
]);
const fuse = 0x65735546;
const networkFuse =
  /^fuse\.(sshfs|glusterfs|s3fs|rclone|gcsfuse|goofys|ceph|curlftpfs|davfs|juicefs|mount-s3|vmhgfs|beegfs|mfs|lizardfs|seaweedfs|blobfuse)/;

const ownerWrites = 0o200;

/** Whether the file exists and is not empty. Throws `storageError` (74) if that cannot be seen. */
export function fileExists(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  } catch (cause) {
    throw unopened(path, cause, 'Check that you may enter the directories above it.');
  }
}

/**
 * Makes the directory and the file, with modes 0700 and 0600. Also makes writable what SQLite keeps beside a writable
 * file.
 */
export function prepareFile(path: string, refuse = assertLocalDisk): void {
  try {
    makeDirectory(dirname(path));
    refuse(dirname(path));
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) closeSync(openSync(path, 'a', 0o600));
    else if (!found.isFile()) throw notAFile(path);
    const real = realOf(path);
    refuse(dirname(real));
    if (found !== undefined) assertSingleName(real, found);
    freeLog(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || cause instanceof Error === false || 'kind' in cause) throw cause;
    throw unopened(path, cause, 'Check that the directory is writable, or set PIXCTL_STATE_DIR.');
  }
}

const notAFile = (path: string) =>
  storageError(`the database ${path} could not be opened: it is not a file`, {
    hint: 'Move it away, or set PIXCTL_STATE_DIR to another directory (for a ledger also: PIXCTL_LEDGER_URL to a file).',
  });

/** Takes everybody else's permissions away from a database that is ours, and from what SQLite keeps beside it. */
export function narrowFile(path: string): void {
  // Windows has its own permissions, and shows every file as open to all.
  if (platform() === 'win32') return;
  for (const file of [path, ...besides(path)]) {
    try {
      const found = statSync(file, { throwIfNoEntry: false });
      if (found !== undefined && (found.mode & 0o077) !== 0) chmodSync(file, 0o600);
    } catch (cause) {
      throw unopened(file, cause, 'Give it to whoever runs pixctl, or set PIXCTL_STATE_DIR.');
    }
  }
}

/** The log of a database, which SQLite keeps beside the file that a link leads to. */
export const logOf = (path: string): string => `${realOf(path)}-wal`;

const besides = (path: string): readonly string[] => [logOf(path), `${realOf(path)}-shm`];

const unopened = (path: string, cause: unknown, hint: string) =>
  storageError(`the database ${path} could not be opened: ${(cause as NodeJS.ErrnoException).code}`, {
    cause,
    hint,
  });

/**
 * Makes the log and its index writable again. SQLite creates them with the mode of the file, so those made while the
 * file was read-only outlast that, and would keep the whole database from being written.
 */
function freeLog(path: string): void {
  if ((statSync(path).mode & ownerWrites) === 0) return;
  for (const beside of besides(path)) {
    const found = statSync(beside, { throwIfNoEntry: false });
    if (found === undefined || (found.mode & ownerWrites) !== 0) continue;
    try {
      chmodSync(beside, 0o600);
    } catch {
      // Gone by now, or not ours to change: SQLite will report what it makes of it.
    }
  }
}

function assertLocalDisk(directory: string): void {
  assertNotNetwork(directory, statfsSync(directory).type);
  if (platform() === 'win32') assertNotShare(directory);
}

/** Throws `configError` for a network file system. `type` is as `statfs` gives it. */
export function assertNotNetwork(directory: string, type: number, mounts = mountTable): void {
  const found =
    networkTypes.get(type >>> 0) ?? (type >>> 0 === fuse ? networkFuseAt(directory, mounts()) : null);
  if (found != null) throw onNetwork(directory, found);
}

/**
 * Does the same on Windows, which gives no type: there a share is known by its path, and what a drive or a link leads
 * to by its real path. Throws `configError`.
 */
export function assertNotShare(directory: string, real = realpathSync.native as RealPath): void {
  const share = shareOf(win32.resolve(directory)) ?? shareOf(realOf(directory, real));
  if (share !== null) throw onNetwork(directory, share);
}

/** Returns `\\server\share`; null for a path on a disk, also in its long form that begins with `\\?\`. */
function shareOf(path: string): string | null {
  const [, server, share = ''] = /^\\\\(?:\?\\UNC\\)?([^\\?.][^\\]*)\\([^\\]*)/i.exec(path) ?? [];
  return server === undefined ? null : `\\\\${server}\\${share}`;
}

type RealPath = (path: string) => string;

/** Resolves links. Some Windows drives, such as those in memory, have no real path. */
export function realOf(path: string, real = realpathSync.native as RealPath): string {
  try {
    return real(path);
  } catch {
    return path;
  }
}

const onNetwork = (directory: string, name: string) =>
  configError(
    'NETWORK_FILE_SYSTEM',
    `${directory} is on a network file system (${name}), where locks and durable writes are not reliable`,
    'Set PIXCTL_STATE_DIR to a local disk, or share a PostgreSQL through PIXCTL_LEDGER_URL.',
  );

/** The name of the FUSE file system that holds `directory`, if it is one known to go over a network. */
function networkFuseAt(directory: string, mounts: string): string | null {
  const mount = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, at = '-']) => directory === at || directory.startsWith(at.endsWith('/') ? at : `${at}/`))
    .sort(([, a = ''], [, b = '']) => b.length - a.length)[0];
  const type = mount?.[2] ?? '';
  return networkFuse.test(type) ? type : null;
}

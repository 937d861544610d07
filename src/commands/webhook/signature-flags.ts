/** The flags of every verb that signs or verifies: the secret, the header that it signs, the tolerance. */
import type { Command } from 'commander';
import { parseDuration } from '../../flags/duration.ts';
import { readSignatureHeader } from '../../listener/posting/extra-headers.ts';

/** Adds the flags that `readNamedSecrets` reads. */
export const secretFlags = (command: Command): Command =>
  command
    .option('--secret-file <file>', "file with the endpoint's signing secret")
    .option('--secret-stdin', 'read the secret from stdin')
    .option('--endpoint <id>', 'use the secret that `webhook add` stored for this endpoint');

export const headerFlag = (command: Command): Command =>
  command.option(
    '--signature-header <name>',
    'name of the signature header',
    readSignatureHeader,
    'Service-Signature',
  );

export const toleranceFlag = [
  '--tolerance <duration>',
  'how far the time t of the signature may be from now, past or future; none for any',
  '5m',
] as const;

/** Reads `--tolerance`: milliseconds; null for any age. Throws a usage error (64). */
export const readTolerance = (text: string): number | null =>
  text === 'none' ? null : parseDuration(text, '--tolerance');

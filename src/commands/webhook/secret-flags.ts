/** The flags for a signing secret and for the header that it signs, for every verb that signs or verifies. */
import type { Command } from 'commander';
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

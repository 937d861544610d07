/**
 * The prefix of a sandbox's keys. The client never sends such a key beyond this machine, nor any other key to a
 * sandbox.
 */
export const sandboxKeyPrefix = 'svc_sandbox_';

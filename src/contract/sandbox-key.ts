/**
 * The prefix of a sandbox's keys. The client never sends such a key beyond this machine, nor any other key to a
 * sandbox.
 */
export const sandboxKeyPrefix = 'svc_sandbox_';

/** Whether a key may be chosen for a sandbox. It must be long, because others on the network may try to guess it. */
export const isSandboxKey = (key: string): boolean => /^svc_sandbox_[\w-]{16,128}$/.test(key);

/** What `isSandboxKey` asks for, in words. */
export const sandboxKeyForm = `${sandboxKeyPrefix} and 16 to 128 of A-Z, a-z, 0-9, - and _`;

/** How keys of a sandbox begin. The client never sends such a key beyond this machine, nor another key to a sandbox. */
export const sandboxKeyPrefix = 'svc_sandbox_';

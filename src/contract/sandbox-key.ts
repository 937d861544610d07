/** How keys of a sandbox begin: the client never sends one beyond this machine, nor any other to a sandbox. */
export const sandboxKeyPrefix = 'svc_sandbox_';

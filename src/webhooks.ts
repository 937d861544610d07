/** `import { sign, verify } from 'pixctl/webhooks'`: the signature scheme, for receivers of one's own. */
export {};

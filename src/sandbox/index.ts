/** `import { startSandbox } from 'pixctl/sandbox'`: the whole service, in this process. */
export {};

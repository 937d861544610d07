/** A client for tests: real time but for the pauses between tries, which are skipped. */
import type { Api } from '../../src/api/client.ts';
import { type ClientOptions, createClient } from '../../src/api/create-client.ts';
import { systemClock } from '../../src/clock.ts';

export const clientOf = (baseUrl: string, options: Partial<ClientOptions> = {}): Api =>
  createClient({
    baseUrl,
    apiKey: async () => 'svc_sandbox_test',
    clock: systemClock,
    timeoutMs: 10_000,
    environment: {},
    retry: { baseMs: 1 },
    ...options,
  });

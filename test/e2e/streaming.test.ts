/** `charge list --all` over 20,000 charges: complete, in order, a page at a time, and never ahead of its reader. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startService } from '../../bench/service.ts';
import { run, start } from '../support/run.ts';

const total = 20_000;
const args = ['charge', 'list', '--all', '--limit', '100', '-o'];
const envOf = (url: string) => ({ PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_sandbox_test' });

describe('a long list', () => {
  it.each([['ndjson', 0] as const, ['csv', 1] as const])(
    'comes whole and in order as %s',
    async (format, head) => {
      const service = await startService(total);
      try {
        const { code, stdout } = await run([...args, format], { env: envOf(service.url) });
        const ids = [...stdout.matchAll(/chg_(\d{9})/g)].map((match) => Number(match[1]));
        expect(code).toBe(0);
        expect(ids).toEqual(Array.from({ length: total }, (_, at) => at));
        expect(stdout.trimEnd().split('\n')).toHaveLength(total + head);
      } finally {
        await service.close();
      }
    },
  );

  it('stops asking while its reader does not read, and goes on when it does', async () => {
    const service = await startService(total);
    try {
      const child = start([...args, 'ndjson'], { env: envOf(service.url) });
      child.stdin.end();
      await once(child.stdout, 'readable');
      let asked = -1;
      while (asked !== service.requestCount()) {
        asked = service.requestCount();
        await pause(300);
      }
      expect(asked).toBeLessThan(total / 100 / 2);
      let lines = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        lines += chunk.toString().split('\n').length - 1;
      });
      await once(child, 'close');
      expect(lines).toBe(total);
    } finally {
      await service.close();
    }
  });
});

/** `charge list --all` over a long history, compared with a plain loop that only fetches and parses the same pages. */
import { spawn } from 'node:child_process';
import { program, temporaryHome } from './home.ts';
import { median } from './measure.ts';
import type { BenchOptions, Row } from './row.ts';

const part = 'streaming';
const many = 1_000_000;
const fewer = 100_000;

export async function benchStreaming({ rounds }: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  const rates: Record<string, number[]> = { ndjson: [], csv: [] };
  const tries = rounds < 10 ? 1 : 3;
  for (let at = 0; at < tries; at++) {
    const plain = await measureRun(fewer, null);
    for (const format of ['ndjson', 'csv']) {
      const own = await measureRun(fewer, format);
      rates[format]?.push(plain.seconds / own.seconds);
    }
  }
  for (const [format, ratios] of Object.entries(rates)) {
    rows.push({ part, name: `rate of ${format} / plain loop`, value: median(ratios), unit: '', least: 0.5 });
  }
  for (const format of ['ndjson', 'csv']) {
    const small = await measureRun(fewer, format);
    const large = await measureRun(many, format);
    const detail = `${Math.round(many / large.seconds)} charges/s, first byte after ${Math.round(large.firstMs)} ms`;
    rows.push({
      part,
      name: `peak memory, ${format}, 1,000,000`,
      value: large.peakMiB,
      unit: 'MiB',
      most: 150,
      detail,
    });
    rows.push({
      part,
      name: `peak memory, ${format}, 100,000`,
      value: small.peakMiB,
      unit: 'MiB',
      most: 150,
    });
  }
  return rows;
}

interface RunMeasurement {
  readonly seconds: number;
  readonly peakMiB: number;
  /** Time until anything came out, including start-up. */
  readonly firstMs: number;
}

/** Measures one run. The service has a process of its own, so that neither side waits for the other's turn. */
async function measureRun(total: number, format: string | null): Promise<RunMeasurement> {
  const home = temporaryHome();
  const service = await startServiceProcess(total);
  // Not `maxRSS`, which starts at what this process had when it forked.
  const own = `/^VmHWM:\\s+(\\d+)/m.exec(process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8'))[1]`;
  const maxRss = process.platform === 'linux' ? own : 'process.resourceUsage().maxRSS';
  const peak = `process.on('exit', () => process.stderr.write('PEAK ' + ${maxRss}));`;
  const env = {
    ...home.env,
    PIXCTL_BASE_URL: service.url,
    PIXCTL_API_KEY: 'svc_sandbox_bench',
    NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(peak)}"`,
  };
  const args =
    format === null
      ? ['--input-type=module', '-e', plainLoop]
      : [program, 'charge', 'list', '--all', '--limit', '100', '-o', format, '--quiet'];
  const begun = performance.now();
  let first = 0;
  let rows = 0;
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk: Buffer) => {
    first ||= performance.now();
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++;
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = (performance.now() - begun) / 1000;
  await service.close();
  home.remove();
  const expected = format === 'csv' ? total + 1 : total;
  if (code !== 0 || (format !== null && rows !== expected))
    throw new Error(`${code}: ${rows} rows; ${errors}`);
  return { seconds, firstMs: first - begun, peakMiB: Number(/PEAK (\d+)/.exec(errors)?.[1]) / 1024 };
}

const plainLoop = `
let after = '';
do {
  const reply = await fetch(process.env.PIXCTL_BASE_URL + '/transparents/list?limit=100' + after);
  const page = JSON.parse(await reply.text());
  after = page.pagination.hasMore ? '&after=' + page.pagination.next : null;
} while (after !== null);
console.log('done');`;

async function startServiceProcess(total: number): Promise<{ url: string; close(): Promise<void> }> {
  const script = `import { startService } from ${JSON.stringify(new URL('service.ts', import.meta.url).href)};
    console.log((await startService(${total})).url);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

/** Flags of every command where they have nothing to do: they do their work, or they are refused. */
import { createServer, type Server } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { run } from '../support/run.ts';

describe('a flag of every command', () => {
  it.each([
    [['charge', 'list', '--csv-locale', 'pt-BR'], '--csv-locale is for -o csv. Nothing was sent.'],
    [['charge', 'list', '--json', '-o', 'csv'], 'contradict each other. Nothing was sent.'],
    [['demo', '-o', 'json'], '-o, --fields and --jq do not apply'],
    [['demo', '--fields', 'id'], '-o, --fields and --jq do not apply'],
    [['help', 'amounts', '-o', 'json'], '-o, --fields and --jq do not apply'],
    [['help', 'amounts', '--fields', 'id'], '-o, --fields and --jq do not apply'],
    [['completion', 'bash', '--csv-locale', 'pt-BR'], '--csv-locale is for -o csv. Nothing was sent.'],
    [['sandbox', 'clock', 'get', '--timeout', 'soon'], '"soon" is not a duration'],
    [['help', 'amounts', '--base-url', 'ftp://x'], 'The address "ftp://x" cannot be used'],
    [['config', 'list', '--base-url', 'http://api.example.com'], 'only https is allowed'],
    [['webhook', 'inbox', '--base-url', 'api.example.com'], 'it is not a URL. Nothing was sent.'],
  ])('%j is refused where it would do nothing', async (args, says) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(says);
  });

  it('an address that could be used is passed over where none is needed: an alias sets it for every line', async () => {
    const { code, stdout } = await run(['--base-url', 'https://api.example.com', 'config', 'path']);
    expect(code).toBe(0);
    expect(stdout).toContain('config.json');
  });

  it.each([
    [['clock', 'get'], 75, 'did not answer within 1 s.'],
    [['clock', 'freeze'], 81, 'It may have carried it out.'],
  ])('--timeout bounds sandbox %j', async (verb, exit, says) => {
    const { url, server } = await silent();
    const { code, stderr } = await run(['sandbox', ...verb, '--timeout', '1s'], {
      env: { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_sandbox_x' },
    });
    server.close();
    expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringContaining(says) });
  });
});

/** Takes connections and says nothing. */
async function silent(): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => void socket.on('error', () => {}));
  return { server, url: `http://127.0.0.1:${await listenOnLoopback(server)}` };
}

import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { describe, expect, it, onTestFinished } from 'vitest';
import { discardTyped } from '../../src/terminal/discard-typed.ts';
import { source } from '../support/few-files.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { noPty, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, node } from '../support/run.ts';

/** A keyboard at which `keys` types something in each turn of the event loop, until it has nothing more. */
function keyboard(keys: (turn: number) => string | null) {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => raw.push(on) });
  let turns = 0;
  const type = () => {
    const some = stdin.destroyed ? null : keys(turns++);
    if (some === null) return;
    stdin.write(some);
    setImmediate(type);
  };
  type();
  onTestFinished(() => void stdin.destroy());
  return { stdin, raw, turns: () => turns };
}

it('discards what comes until nothing does, raw, and leaves the terminal as it was', async () => {
  const { stdin, raw, turns } = keyboard((turn) => (turn < 20 ? 'y\n' : null));
  await discardTyped(stdin, undefined);
  expect([turns(), stdin.readableLength, stdin.isPaused(), raw]).toEqual([21, 0, true, [true, false]]);
});

it('ends with interrupted at a Ctrl-C among keys without end', async () => {
  const { stdin, raw, turns } = keyboard((turn) => (turn === 100 ? 'y\n\x03y\n' : 'y\n'));
  await expect(discardTyped(stdin, undefined)).rejects.toMatchObject({ kind: 'interrupted', exit: 130 });
  expect(raw).toEqual([true, false]);
  expect(turns()).toBeLessThan(200);
});

it('ends when the run does, although keys come without end', async () => {
  const stopped = new AbortController();
  const { stdin, raw, turns } = keyboard((turn) => {
    if (turn === 100) stopped.abort('SIGINT');
    return 'y\n';
  });
  await discardTyped(stdin, stopped.signal);
  expect(raw).toEqual([true, false]);
  expect(turns()).toBeLessThan(200);
});

it('refuses to ask where keys come without end', async () => {
  const { stdin, raw } = keyboard(() => 'y\n');
  await expect(discardTyped(stdin, undefined)).rejects.toMatchObject({
    kind: 'usage',
    message: 'Something types at this terminal without a pause, so nothing can be asked. Nothing was sent.',
  });
  expect(raw).toEqual([true, false]);
});

describe.skipIf(noPty !== null)(skipped('at a terminal', noPty), () => {
  it.each([
    ['createPrompter', 'inquirer-prompter', 'y\r', '\r'],
    ['createPrompter', 'inquirer-prompter', 'y', '\r'],
    ['createPlainPrompter', 'plain-prompter', 'y\r', '\r'],
    ['createPlainPrompter', 'plain-prompter', 'y', '\r'],
  ])(
    '%s (%s): %j between two questions, while a service is slow, does not answer the second',
    async (create, file, early, answer) => {
      let screen = '';
      let whenShown = (_screen: string) => {};
      /** Resolves once `text` is on the screen, among what comes from now on. */
      const shown = (text: string) => {
        screen = '';
        return new Promise<void>((resolve) => {
          whenShown = () => screen.includes(text) && resolve();
        });
      };
      // It answers when the terminal has taken the keys, which it shows then.
      const service = createServer(async (_request, response) => {
        const echo = shown('y');
        terminal.write(early);
        await echo;
        const question = shown('Send it?');
        response.end();
        await question;
        terminal.write(answer);
      });
      onTestFinished(() => void service.close());
      const port = await listenOnLoopback(service);
      const program = `import { systemIo } from ${source('terminal/streams/system-io')};
        import { ${create} } from ${source(`terminal/${file}`)};
        const prompter = ${create}(systemIo(process.env, {}), { noInput: false });
        const name = await prompter.input({ message: 'Name' });
        await fetch('http://127.0.0.1:${port}/');
        console.log(name, 'agreed:', await prompter.confirm({ message: 'Send it?' }));`;
      const env = { TERM: 'xterm', ...cleanEnvironment(emptyHome()) };
      const terminal = spawn(node, ['--input-type=module', '-e', program], { env, cols: 100 });
      terminal.onData((text) => {
        screen += stripVTControlCharacters(text);
        whenShown(screen);
      });
      const ended = new Promise((resolve) => terminal.onExit(resolve));
      await shown('Name');
      terminal.write('Ana\r');
      await ended;
      expect(screen).toContain('Ana agreed: false');
    },
  );
});

/** A person's consent: what counts as one, where nobody can be asked, and what a refusal ends with. */
import { describe, expect, it } from 'vitest';
import { PixctlError } from '../../src/errors.ts';
import { confirmByTypingKey, confirmChange } from '../../src/runtime/confirm.ts';
import { confirmSending, rethrowUnsent, runToCompletion } from '../../src/runtime/sending.ts';
import type { Runtime } from '../../src/runtime.ts';
import type { Prompter } from '../../src/terminal/prompter.ts';
import { memoryIo } from '../support/memory-io.ts';

interface Room {
  readonly yes?: boolean;
  /** What the person answers; null where nobody can be asked. */
  readonly answer: boolean | string | null;
  /** Which streams are terminals, or `--no-input`. */
  readonly at?: 'stdin' | 'stdout' | 'stderr' | 'all' | 'no-input';
  /** The variable. */
  readonly ci?: string;
}

function runtimeOf({ yes, answer, at, ci }: Room) {
  const asked: string[] = [];
  const prompter = {
    canAsk: answer !== null,
    confirm: async ({ message }) => {
      asked.push(message);
      return answer === true;
    },
    input: async ({ message }) => {
      asked.push(message);
      return String(answer);
    },
  } as Partial<Prompter> as Prompter;
  const io = {
    ...memoryIo(),
    stdinIsTerminal: at === 'stdin' || at === 'all',
    stdoutIsTerminal: at === 'stdout' || at === 'all',
    stderrIsTerminal: at === 'stderr' || at === 'all',
  };
  const globals = { ...(yes ? { yes } : {}), ...(at === 'no-input' ? { input: false } : {}) };
  const output = async () => ({ options: { timeZone: null } });
  const environment = { CI: ci };
  const runtime = { io, environment, globals, output, prompter: async () => prompter } as unknown as Runtime;
  return { runtime, asked };
}

/** 0, or the exit code of the error. */
const exitOf = (work: Promise<void>): Promise<number> =>
  work.then(
    () => 0,
    (error: PixctlError) => error.exit,
  );

describe('a change on this machine', () => {
  it.each<[Room, number, number]>([
    [{ answer: true }, 0, 1],
    [{ answer: false }, 87, 1],
    [{ answer: null }, 64, 0],
    [{ answer: null, yes: true }, 0, 0],
    [{ answer: false, yes: true }, 0, 0],
  ])('%o: ends with %i after %i questions', async (room, exit, questions) => {
    const { runtime, asked } = runtimeOf(room);
    expect(await exitOf(confirmChange(runtime, 'Really?'))).toBe(exit);
    expect(asked).toHaveLength(questions);
  });
});

describe('a word about an order of the ledger', () => {
  it.each<[Room, number, number]>([
    [{ answer: 'rent-01' }, 0, 1],
    [{ answer: ' rent-01 ' }, 0, 1],
    [{ answer: 'rent-02' }, 87, 1],
    [{ answer: 'RENT-01' }, 87, 1],
    [{ answer: 'y' }, 87, 1],
    [{ answer: '' }, 87, 1],
    [{ answer: null }, 64, 0],
    [{ answer: null, yes: true }, 0, 0],
  ])('%o: ends with %i after %i questions', async (room, exit, questions) => {
    const { runtime, asked } = runtimeOf(room);
    const word = () => ({ order: 'It was sent', consequence: 'It pays.', idempotencyKey: 'rent-01' });
    expect(await exitOf(confirmByTypingKey(runtime, word))).toBe(exit);
    expect(asked).toEqual(
      Array(questions).fill('It was sent. It pays. Type the idempotency key to confirm:'),
    );
  });
});

describe('something that is sent', () => {
  it.each<[Room, boolean, number]>([
    [{ answer: true }, true, 0],
    [{ answer: false }, true, 87],
    [{ answer: false }, false, 87],
    [{ answer: false, yes: true }, true, 0],
    [{ answer: null }, true, 0],
    [{ answer: null }, false, 0],
    [{ answer: null, at: 'stdin' }, true, 64],
    [{ answer: null, at: 'stdout' }, true, 64],
    [{ answer: null, at: 'stderr' }, true, 64],
    [{ answer: null, at: 'no-input' }, true, 64],
    [{ answer: null, at: 'no-input', yes: true }, true, 0],
    [{ answer: null, at: 'stdin' }, false, 0],
    [{ answer: null, at: 'no-input' }, false, 0],
    [{ answer: null, at: 'all', ci: 'true' }, true, 64],
    [{ answer: null, at: 'all', ci: 'true' }, false, 64],
    [{ answer: null, at: 'all', ci: 'true', yes: true }, false, 0],
    [{ answer: null, at: 'stdout', ci: 'true' }, false, 0],
    [{ answer: null, at: 'no-input', ci: 'true' }, false, 0],
    [{ answer: null, ci: 'true' }, true, 0],
  ])('%o, irrevocable: %s, ends with %i', async (room, irrevocable, exit) => {
    const { runtime } = runtimeOf(room);
    expect(await exitOf(confirmSending(runtime, 'Send?', { irrevocable }))).toBe(exit);
  });
});

describe('work that must not be cut short', () => {
  const flightOf = () => ({ outcomeUnknown: false, hasSent: true, outcomeHint: null, completed: null });
  const running = () => {
    const stop = new AbortController();
    const warnings: string[] = [];
    const output = async () => ({ warn: (text: string) => warnings.push(text) });
    const runtime = { flight: flightOf(), signal: stop.signal, output } as unknown as Runtime;
    return { runtime, stop, warnings };
  };
  const done = { what: 'It was done.', hint: 'Look.' };

  it('has an unknown outcome while it runs, and is done afterwards', async () => {
    const { runtime } = running();
    const work = async () => ({ ...runtime.flight });
    const during = await runToCompletion(runtime, work, () => done);
    expect(during).toMatchObject({ outcomeUnknown: true, hasSent: false, completed: null });
    expect(runtime.flight).toMatchObject({ outcomeUnknown: false, completed: done });
  });

  it('is not done, and its outcome no longer unknown, once it has failed', async () => {
    const { runtime } = running();
    const failure = new PixctlError('refused', 'X', 'no');
    await expect(
      runToCompletion(
        runtime,
        () => Promise.reject(failure),
        () => done,
      ),
    ).rejects.toBe(failure);
    expect(runtime.flight).toMatchObject({ outcomeUnknown: false, completed: null });
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('is waited for, and this is said, if it is interrupted once it has left (%s)', async (left, said) => {
    const { runtime, stop, warnings } = running();
    const work = async () => {
      runtime.flight.hasSent = left;
      stop.abort('SIGINT');
      return 7;
    };
    expect(await runToCompletion(runtime, work, () => null)).toBe(7);
    expect(warnings).toHaveLength(said);
  });

  it('is not spoken of by an interruption that comes later', async () => {
    const { runtime, stop, warnings } = running();
    await runToCompletion(
      runtime,
      async () => 7,
      () => null,
    );
    runtime.flight.hasSent = true;
    stop.abort('SIGINT');
    expect(warnings).toEqual([]);
  });
});

it('only an error of this family is reworded to say that nothing was sent', async () => {
  const full = new PixctlError('storage', 'X', 'The disk is full.', { hint: 'Free some.' });
  const reworded = { exit: 74, message: 'The disk is full; nothing was sent', hint: 'Free some.' };
  await expect(Promise.reject(full).catch(rethrowUnsent)).rejects.toMatchObject(reworded);
  const bug = new TypeError('a bug');
  await expect(Promise.reject(bug).catch(rethrowUnsent)).rejects.toBe(bug);
});

/**
 * jq itself (compiled to WebAssembly), in a thread of its own: an expression may never end, and this thread must stay
 * able to hear a signal. jq has no compiled expression to keep, so values are handed over together.
 */
import { Worker } from 'node:worker_threads';
import { type Clock, untilAborted } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Filtered } from './filter.ts';
import { jqProgram, jqWasm } from './jq-files.ts';

interface Jq {
  /** What is wrong with the expression, and where; null if it compiles. Does not run it. */
  problem(): Promise<string | null>;
  /** See `Filter.apply`. To be called again only when the call before has ended. */
  apply(texts: readonly string[]): Promise<readonly Filtered[]>;
}

export interface JqOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Once it has aborted, an expression is given two more seconds to end. */
  readonly signal: AbortSignal;
  /** Is handed what `debug` and `stderr` in an expression say. */
  readonly onMessage: (text: string) => void;
  /** The most outputs for one value, so that an endless expression does not fill the memory of the machine. */
  readonly mostOutputs?: number;
}

/** The most characters that are handed over together. */
const mostAtOnce = 4_000_000;
const patienceMs = 2_000;

/** What jq wrote, or why it broke off. */
type Run =
  | { readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly broke: string };

/** `expression` is that of `--jq`. */
export function createJq(
  expression: string,
  { clock, signal, onMessage, mostOutputs = 1_000_000 }: JqOptions,
): Jq {
  let worker: Worker | null = null;
  // Read once, because another version of the program may be installed before a thread has to be replaced.
  let files: JqFiles | undefined;
  const whole = framed(expression, mostOutputs);

  async function run(program: string, input: string): Promise<Run> {
    files ??= { program: Buffer.from(jqProgram()).toString('utf8'), wasm: jqWasm() };
    worker ??= startWorker(files);
    const at = worker;
    const over = new AbortController();
    try {
      const ended = await Promise.race([answerOf(at, { program, input }), tooLate(over.signal)]);
      if (!('broke' in ended)) return ended;
      // Its memory may be in any state; the next value gets a new one.
      worker = null;
      await at.terminate();
      return ended;
    } finally {
      over.abort();
    }
  }

  async function tooLate(over: AbortSignal): Promise<Run> {
    await untilAborted(signal, over);
    await clock.sleep(patienceMs, over);
    return { broke: `it had not ended ${patienceMs / 1000} s after ${String(signal.reason)}` };
  }

  async function together(texts: readonly string[]): Promise<readonly Filtered[]> {
    const ran = await run(whole, texts.map(wellFormed).join('\n'));
    if (!('broke' in ran) && ran.exitCode === 0) {
      if (ran.stderr !== '') onMessage(ran.stderr);
      return readResults(ran.stdout, mostOutputs);
    }
    if (texts.length === 1) return [{ outputs: [], error: 'broke' in ran ? ran.broke : saidBy(ran.stderr) }];
    const each: Filtered[] = [];
    for (const text of texts) each.push(...(await together([text])));
    return each;
  }

  return {
    async problem() {
      for (const program of [expression, whole]) {
        const ran = await run(program, '');
        if ('broke' in ran) return ran.broke;
        if (ran.exitCode !== 0) return saidBy(ran.stderr);
      }
      return null;
    },
    async apply(texts) {
      const all: Filtered[] = [];
      for (const some of portions(texts)) all.push(...(await together(some)));
      return all;
    },
  };
}

/**
 * The program that runs. It marks each output as `[...]`, a failure as `{"e": ...}` and the end of a value as `0`. What
 * would read the next value, or end the run, depends on how many values are handed over together, so that is refused.
 * There is no environment: a key may be in it.
 */
const framed = (expression: string, mostOutputs: number): string => `{} as $ENV | def env: $ENV;
def input: error("there is no input here: values are handed over one by one"); def inputs: input;
def halt: error("there is no halt here: the next value comes all the same"); def halt_error: halt; def halt_error(f): halt;
(try (limit(${mostOutputs + 1}; (
${expression}
)) | [.]) catch {e: .}), 0`;

function readResults(stdout: string, mostOutputs: number): Filtered[] {
  const all: Filtered[] = [];
  let outputs: string[] = [];
  let error: string | null = null;
  for (const line of stdout.split('\n')) {
    if (line.startsWith('[')) outputs.push(line.slice(1, -1));
    else if (line.startsWith('{')) error = reasonIn(line);
    else if (line !== '') {
      if (outputs.splice(mostOutputs).length > 0)
        error = `it has more than ${mostOutputs} outputs for one value`;
      all.push({ outputs, error });
      outputs = [];
      error = null;
    }
  }
  return all;
}

/** What was thrown need not be text. */
function reasonIn(line: string): string {
  const { e } = JSON.parse(line) as { e: unknown };
  return typeof e === 'string' ? e : line.slice('{"e":'.length, -1);
}

/** Turns what jq says about an expression into one line: `syntax error ... (line 1, column 4)`. */
function saidBy(stderr: string): string {
  const errors = stderr.split('\n').flatMap((line) => {
    const [, said] = /^jq: (?:error(?: \(at .*?\))?: )?(.+?)(?: at <top-level>)?:?$/.exec(line) ?? [];
    return said === undefined || /^\d+ compile errors?$/.test(said) ? [] : [placed(said)];
  });
  return errors.length === 0 ? stderr : errors.join('; ');
}

const placed = (said: string): string => said.replace(/ at <top-level>, (line \d+, column \d+)$/, ' ($1)');

/** jq refuses text with half of a surrogate pair, which JSON can write. */
const wellFormed = (json: string): string =>
  json.includes('\\ud') ? json.replace(escapes, (it) => (isHalf.test(it) ? '\\ufffd' : it)) : json;

/** A pair, or any other escape, of which only the first letter matters. */
const escapes = /\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\ud[89a-f][0-9a-f]{2}|\\./g;
const isHalf = /^\\ud[0-9a-f]{3}$/;

function* portions(texts: readonly string[]): Generator<readonly string[]> {
  let some: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (some.length > 0 && length + text.length > mostAtOnce) {
      yield some;
      some = [];
      length = 0;
    }
    some.push(text);
    length += text.length;
  }
  if (some.length > 0) yield some;
}

/** Follows the program of jq-wasm in the thread. Text, for the same reason as that of the checkpointer. */
const serve = `
;(async (exported) => {
  const { parentPort, workerData } = require('node:worker_threads');
  const loading = exported.loadJq({ wasmBinary: workerData });
  loading.catch(() => {});
  parentPort.on('message', async ({ program, input }) => {
    try {
      parentPort.postMessage((await loading).raw(input, program, ['-c']));
    } catch (error) {
      parentPort.postMessage({ broke: String(error && error.message) });
    }
  });
})(module.exports);
`;

interface JqFiles {
  readonly program: string;
  readonly wasm: Uint8Array;
}

function startWorker({ program, wasm }: JqFiles): Worker {
  return new Worker(program + serve, {
    eval: true,
    workerData: wasm,
    // Nothing of ours is of any use there, keys in the environment least of all.
    env: {},
    execArgv: [],
    // It would say there that it has broken off, which the error says already.
    stdout: true,
    stderr: true,
  });
}

/** Hands the program over and waits for its end. Meanwhile the thread keeps the process alive. */
function answerOf(worker: Worker, request: { program: string; input: string }): Promise<Run> {
  return new Promise((resolve) => {
    const end = (run: Run) => {
      worker.off('message', answered).off('error', failed).off('exit', exited);
      worker.unref();
      resolve(run);
    };
    const answered = (run: Run) => end('broke' in run ? { broke: gaveUp(run.broke) } : run);
    const failed = (error: unknown) => end({ broke: gaveUp(messageOf(error)) });
    const exited = (code: number) => end({ broke: gaveUp(`its thread ended with ${code}`) });
    worker.on('message', answered).on('error', failed).on('exit', exited);
    worker.ref();
    worker.postMessage(request);
  });
}

const gaveUp = (why: string): string =>
  /abort|memory|stack/i.test(why)
    ? `jq broke off, probably for want of memory, of which it has 256 MiB (${why.replace(/\.? Build with .*$/, '')})`
    : `jq broke off (${why})`;

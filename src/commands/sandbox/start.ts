/** `pixctl sandbox start`: in the foreground until it is asked to stop. */

import { pid } from 'node:process';
import { keepHeapSteady } from '../../api/steady-heap.ts';
import { sandboxProfile } from '../../config/profile.ts';
import { loadSqlite } from '../../database/sqlite/module.ts';
import { usageError } from '../../errors.ts';
import { programName } from '../../flags/command-line.ts';
import { parseDuration } from '../../flags/duration.ts';
import { portBounds, wholeNumber } from '../../flags/whole-number.ts';
import type { Runtime } from '../../runtime.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/index.ts';
import type { Progression, UndocumentedMode } from '../../sandbox/settings.ts';
import { controlSecret } from './control.ts';
import { sendControl } from './control-request.ts';

export interface StartFlags {
  readonly port: string;
  readonly state?: string;
  readonly undocumented: UndocumentedMode;
  readonly assume: readonly string[];
  readonly withdrawals: Progression;
  readonly withdrawalStep: string;
  readonly seed?: string;
  /** False with `--no-profile`. */
  readonly profile: boolean;
}

export async function start(runtime: Runtime, flags: StartFlags): Promise<void> {
  const options = sandboxOptions(flags);
  const onError = (error: unknown) =>
    runtime.io.writeError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  // First, because it keeps Node 22 from warning about a module that the sandbox loads.
  await loadSqlite();
  const { startSandbox } = await import('../../sandbox/index.ts');
  const sandbox = await startSandbox({ ...options, onError });
  try {
    const isCurrent = flags.profile ? await writeProfile(runtime, sandbox) : false;
    await announce(runtime, sandbox, flags, isCurrent);
    await steadily(() => stopped(runtime.signal));
  } finally {
    await sandbox.close();
  }
}

/**
 * V8 answers load with ever more room for short-lived objects and keeps it: 100 MB here, for no more speed. Not
 * before everything is loaded: under another flag V8 takes no compiled code that was kept.
 */
async function steadily(work: () => Promise<void>): Promise<void> {
  const letGrow = await keepHeapSteady();
  await work().finally(letGrow);
}

function sandboxOptions(flags: StartFlags): SandboxOptions {
  return {
    port: wholeNumber('--port', flags.port, portBounds),
    undocumented: flags.undocumented,
    assume: Object.fromEntries(flags.assume.map(behaviour)),
    withdrawals: flags.withdrawals,
    withdrawalStepMs: parseDuration(flags.withdrawalStep, '--withdrawal-step'),
    ...(flags.state === undefined ? {} : { state: flags.state }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
  };
}

function behaviour(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(
    `--assume "${text}" is not of the form id=behaviour.`,
    'pixctl sandbox assumptions lists them.',
  );
}

/** Returns whether the profile is the current one. A profile of this name that is no sandbox is left alone. */
async function writeProfile(runtime: Runtime, { url, apiKey, controlToken }: Sandbox): Promise<boolean> {
  const config = await runtime.config();
  const before = config.list().find(({ name }) => name === sandboxProfile);
  if (before !== undefined && !/^http:\/\/(127\.0\.0\.1|localhost)(:|$)/.test(before.baseUrl)) {
    (await runtime.output()).warn(
      `The profile "${sandboxProfile}" points to ${before.baseUrl}; it was not changed. Set PIXCTL_BASE_URL and PIXCTL_API_KEY instead.`,
    );
    return false;
  }
  if (before !== undefined && before.baseUrl !== url && (await answers(before.baseUrl))) {
    (await runtime.output()).warn(
      `The sandbox at ${before.baseUrl} still runs; the profile "${sandboxProfile}" is this one's from now on. --no-profile leaves it.`,
    );
  }
  // What opens nothing beyond this machine needs no keychain, which may ask its owner first.
  const kept = { secrets: { [controlSecret]: JSON.stringify({ url, token: controlToken }) }, inFile: true };
  await config.save({ name: sandboxProfile, baseUrl: url, merchant: sandboxProfile }, apiKey, kept);
  return config.currentName() === sandboxProfile;
}

/** Whether an earlier sandbox still runs there. */
async function answers(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(1_000);
  const asked = { url, token: '', method: 'GET', path: '/openapi.json', body: null, type: '', signal };
  return sendControl(asked).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function announce(
  runtime: Runtime,
  sandbox: Sandbox,
  flags: StartFlags,
  isCurrent: boolean,
): Promise<void> {
  const output = await runtime.output();
  const { url, apiKey, uiUrl } = sandbox;
  if (output.options.format === 'json' || output.options.format === 'ndjson') {
    await runtime.io.write(`${JSON.stringify({ url, apiKey, pid, uiUrl })}\n`);
    return;
  }
  await output.text(`Sandbox  ${url}\nAPI key  ${apiKey}\nPage     ${uiUrl}`);
  const pixctl = programName(runtime.environment);
  const command = isCurrent ? pixctl : `${pixctl} --profile ${sandboxProfile}`;
  const use = flags.profile
    ? [
        `  ${command} charge create --amount 10,50`,
        `  ${command} charge list --all`,
        `  ${pixctl} sandbox pay <charge>`,
      ]
    : [`  PIXCTL_BASE_URL=${url} PIXCTL_API_KEY=${apiKey} ${pixctl} charge create --amount 10,50`];
  const kept = flags.state === undefined ? 'in memory' : `in ${flags.state}`;
  const drawn = sandbox
    .assumptions()
    .filter(({ choices, inForce, chosen }) => !chosen && inForce !== choices[0]);
  if (drawn.length > 0) {
    output.note(`Drawn for this run: ${drawn.map(({ id, inForce }) => `${id}=${inForce}`).join(' ')}`);
  }
  output.note(
    ['', 'Try in another terminal:', ...use, '', `Everything is kept ${kept}. Ctrl-C stops it.`].join('\n'),
  );
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

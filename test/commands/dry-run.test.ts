/** `--dry-run` on every command there is: it is honoured, or it is refused; it never sends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { helpNotes } from '../../src/flags/help.ts';
import { everyCommand } from '../../src/program/harden.ts';
import { createProgram } from '../../src/program.ts';
import type { Runtime } from '../../src/runtime.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { deliver, eventBody } from '../support/delivery.ts';
import { homeWithSecret, listen } from '../support/listen.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { run } from '../support/run.ts';

/** A runtime that nothing may touch. */
const untouchable = new Proxy({} as Runtime, {
  get: (_, name) => {
    throw new Error(`the command ran: it asked for runtime.${String(name)}`);
  },
});
const wordsOf = (command: Command): string[] =>
  command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
const required = (command: Command): string[] => [
  ...command.registeredArguments.filter((it) => it.required).map((it) => it.argChoices?.[0] ?? 'x'),
  ...command.options.filter((it) => it.mandatory).flatMap((it) => [String(it.long), 'x']),
];
const leaves = [...everyCommand(await createProgram(untouchable, 'all'))].filter(
  (command) => command.parent !== null && command.commands.length === 0,
);
const rehearsing = leaves.filter((command) => helpNotes(command)?.rehearses === true);

/** Arguments that would send, were it not for --dry-run, of each command that takes it. */
const sending: Record<string, (at: { charge: string; batch: string; hook: string }) => string[]> = {
  'charge create': () => ['--amount', '10,50', '--idempotency-key', 'dry-1', '--wait'],
  'charge refund': ({ charge }) => [charge, '--yes'],
  withdraw: () => '--amount 10,50 --to ana@example.com --type EMAIL -k dry-2 --yes --wait'.split(' '),
  'withdrawal batch': ({ batch }) => [batch, '--yes'],
  'webhook add': () => ['--url', 'https://shop.example/pix', '--events', 'CHARGE_PAID'],
  'webhook inbox replay': ({ hook }) => ['evt_1', '-f', hook],
  'webhook inbox prune': () => ['--older-than', '1d'],
  'webhook replay': ({ hook }) => ['evt_1', '-f', hook],
  'webhook trigger': ({ hook }) => ['CHARGE_PAID', '-f', hook, '--times', '3'],
  'webhook test': ({ hook }) => [hook],
  login: () => ['--no-check', '--key-stdin'],
  completion: () => ['install', 'bash'],
  api: () => ['POST', '/transparents/create', '-F', 'amount=1050', '--yes'],
};

let sandbox: Sandbox;
let charge: string;
let receiver: Receiver;
const home = homeWithSecret();
const pixctl = (...args: string[]) =>
  run(args, {
    home,
    input: 'svc_sandbox_typed',
    env: {
      PIXCTL_BASE_URL: sandbox.url,
      PIXCTL_API_KEY: sandbox.apiKey,
      PIXCTL_WEBHOOK_SECRET: 'whsec_of_a_test_that_is_long_enough',
      SHELL: '/bin/bash',
    },
  });

beforeAll(async () => {
  sandbox = await startSandbox();
  receiver = await startReceiver();
  const made = await pixctl('charge', 'create', '--amount', '10,50', '-o', 'json');
  charge = JSON.parse(made.stdout).id;
  await sandbox.pay(charge);
  // Something to replay.
  const listener = await listen(home, '--port 0 --secret-file'.split(' ').concat(`${home}/secret`));
  await deliver(listener.url, eventBody('evt_1'));
  await listener.stop();
});
afterAll(async () => {
  await receiver.close();
  await sandbox.close();
});

describe('--dry-run', () => {
  it('is tried here on every command that takes it', () => {
    expect(rehearsing.map((command) => wordsOf(command).join(' ')).sort()).toEqual(
      Object.keys(sending).sort(),
    );
  });

  it.each(Object.keys(sending))('of pixctl %s sends nothing', async (words) => {
    const batch = join(home, 'payouts.csv');
    writeFileSync(batch, 'idempotency_key,amount,pix_key,pix_key_type\ndry-3,10.50,ana@example.com,EMAIL\n');
    const writes = () => sandbox.requests().filter(({ method }) => method !== 'GET').length;
    const before = writes();
    const flags = sending[words]?.({ charge, batch, hook: receiver.url }) ?? [];
    const { code, stderr } = await pixctl(...words.split(' '), ...flags, '--dry-run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/dry run|would|nothing/i) });
    expect({ writes: writes(), received: receiver.received.length }).toEqual({ writes: before, received: 0 });
  });

  it.each(
    leaves.filter((command) => !rehearsing.includes(command)).map((command) => wordsOf(command).join(' ')),
  )('is refused by pixctl %s before it runs', async (words) => {
    const program = await createProgram(untouchable, 'all');
    const command = [...everyCommand(program)].find((it) => wordsOf(it).join(' ') === words) as Command;
    const line = [...words.split(' '), ...required(command), '--dry-run'];
    await expect(program.parseAsync(line, { from: 'user' })).rejects.toMatchObject({
      exit: 64,
      message: `pixctl ${words} takes no --dry-run. Nothing was sent.`,
    });
  });
});

/**
 * Breaks the withdrawal protocol on purpose, one way at a time, and shows that the proof notices.
 *
 *   npm run mutants                 all of them; exit 1 when one survives
 *   npm run mutants -- lease        those whose name contains the word
 *
 * Each mutant is a copy of src/ and of the proof with one text replaced. If a text is no longer there, that is an
 * error, so that the list cannot rot. A proof that fails anyway would catch everything, so each is first run on
 * unbroken code.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /**
   * `simulation` runs in memory, `sqlite` on a real file, `scopes` with two labels and two addresses. `conformance` is
   * the ledger's suite, `cases` the protocol's, `pure` that of its decisions, `batch` that of a file, `charges` that of
   * a keyed charge.
   */
  readonly proof?:
    | 'simulation'
    | 'sqlite'
    | 'scopes'
    | 'conformance'
    | 'cases'
    | 'pure'
    | 'batch'
    | 'charges';
  /**
   * The first seed of the simulation to try, near one that shows the mutant. If it no longer does, later ones are
   * tried, which may take half a minute: then the one that is reported belongs here.
   */
  readonly seed?: number;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'resend once when the answer is lost',
    file: 'src/withdrawal/attempt/execute.ts',
    find: 'const verdict = classify(exchange,',
    replace:
      "const second = exchange.kind === 'lost' ? await post(dependencies, current, () => {}) : exchange;\n  const verdict = classify(second,",
  },
  {
    name: 'resend once on a 500',
    file: 'src/withdrawal/attempt/execute.ts',
    find: 'const verdict = classify(exchange,',
    replace:
      "const second = exchange.kind === 'reply' && exchange.reply.status === 500 ? await post(dependencies, current, () => {}) : exchange;\n  const verdict = classify(second,",
  },
  {
    name: 'treat a 500 as refused',
    file: 'src/withdrawal/attempt/classify.ts',
    find: 'if (status < 400 || status > 499)',
    replace:
      "if (status > 499) return { kind: 'refused', status, code: 'INTERNAL_ERROR', message: '' };\n  if (status < 400)",
  },
  {
    name: 'classify by error code: a reset connection was not sent',
    file: 'src/withdrawal/attempt/classify.ts',
    find: "    case 'lost':\n",
    replace:
      "    case 'lost':\n      if ((exchange.cause as { code?: string }).code === 'ECONNRESET') return { kind: 'not-sent', cause: exchange.cause };\n",
  },
  {
    name: 'expire a lease: a send of a minute ago was not sent',
    file: 'src/withdrawal/settling/check-ledger.ts',
    find: "if (open.state === 'SENDING' && (await isBeingSent(dependencies, open))) {",
    replace:
      "if (open.state === 'SENDING' && dependencies.clock.now() - (open.sentAt ?? 0) > 60_000) { await dependencies.ledger.record(open, { state: 'NOT_SENT' }, { id: dependencies.newId(), at: dependencies.clock.now(), what: 'expired' }); return { kind: 'again' }; }\n  if (open.state === 'SENDING' && (await isBeingSent(dependencies, open))) {",
  },
  {
    name: 'expire a lease: what the list does not show was not sent',
    file: 'src/withdrawal/settling/try-reconcile.ts',
    find: "if (only === undefined) return { kind: 'none',",
    replace:
      "if (only === undefined) { await recordWithRetry(dependencies, intent, { state: 'NOT_SENT' }, 'expired'); return { kind: 'moved' }; }\n  if (only === undefined) return { kind: 'none',",
  },
  {
    name: 'call a departed send unsent when its process is gone',
    file: 'src/sending/still-sending.ts',
    find: '!departed && boot',
    replace: 'boot',
  },
  {
    name: 'trust a missing departure mark across a power cut',
    file: 'src/sending/still-sending.ts',
    find: " && boot !== '' && owner?.boot === boot",
    replace: '',
  },
  {
    name: 'let a send depart that was called off',
    seed: 1463,
    file: 'test/support/memory-ledger.ts',
    find: 'if (current(intent) === null) throw new OvertakenError();',
    replace: 'if (current(intent) === null) return intent;',
  },
  {
    name: 'send after another process sent the very same intent',
    file: 'src/ledger/transitions.ts',
    find: 'if (isWithdrawal && (intent.fence ?? 0) > sending.expectedFence) return null;',
    replace: '',
    proof: 'conformance',
  },
  {
    name: 'skip the baseline',
    file: 'src/withdrawal/matching/candidates.ts',
    find: '!baseline.has(one.id) && ',
    replace: '',
  },
  {
    name: 'adopt one of several',
    file: 'src/withdrawal/settling/try-reconcile.ts',
    find: 'if (more.length > 0 ||',
    replace: 'if (more.length > 99 ||',
    proof: 'cases',
  },
  {
    name: 'adopt what another label has as another payment',
    file: 'src/withdrawal/settling/try-reconcile.ts',
    find: 'return other === undefined',
    replace: 'return other !== null',
    proof: 'cases',
  },
  {
    name: 'adopt what another label or address has, in the simulation of both',
    file: 'src/withdrawal/settling/try-reconcile.ts',
    find: 'return other === undefined',
    replace: 'return other !== null',
    proof: 'scopes',
  },
  {
    name: 'adopt what another label or address is sending',
    file: 'src/withdrawal/settling/other-scopes.ts',
    find: 'if (one.resourceId !== null || state',
    replace: "if (one.state === 'SENDING' || one.resourceId !== null || state",
    proof: 'cases',
  },
  {
    name: 'adopt what a key of unknown outcome may have made under another label or address',
    file: 'src/withdrawal/settling/other-scopes.ts',
    find: 'if (one.resourceId !== null || state',
    replace: "if (one.state === 'UNKNOWN' || one.resourceId !== null || state",
    proof: 'cases',
  },
  {
    name: 'adopt what a refused key may have made under another label or address',
    file: 'src/withdrawal/settling/other-scopes.ts',
    find: 'if (one.resourceId !== null || state',
    replace: "if (one.state === 'REFUSED' || one.resourceId !== null || state",
    proof: 'cases',
  },
  {
    name: 'adopt what this key has paid at another address',
    file: 'src/withdrawal/settling/other-scopes.ts',
    find: "(one.state === 'REFUSED' && labelOf(one.scope)",
    replace: "(one.state !== '' && labelOf(one.scope)",
    proof: 'cases',
  },
  {
    name: "take a person's word for what another label is sending",
    file: 'src/withdrawal/resolving/as-withdrawal.ts',
    find: 'elsewhere !== undefined && ',
    replace: 'elsewhere === null && elsewhere !== undefined && ',
    proof: 'cases',
  },
  {
    name: 'adopt whatever is new, whatever its amount and key',
    file: 'src/withdrawal/matching/candidates.ts',
    find: ' && mayMatch(one, body)',
    replace: '',
    proof: 'cases',
  },
  {
    name: 'adopt what another key has claimed',
    seed: 4975,
    file: 'src/withdrawal/matching/candidates.ts',
    find: ' && !claimed.has(one.id)',
    replace: '',
  },
  {
    name: 'let a byte leave without its mark',
    file: 'src/withdrawal/attempt/execute.ts',
    find: 'current = markDeparture(dependencies, current);',
    replace: '',
  },
  {
    name: 'believe that nothing left when our own last look let it go',
    file: 'src/withdrawal/attempt/classify.ts',
    find: "return hasDeparted ? { kind: 'unknown', reason: 'LOST' } : { kind: 'not-sent', cause: exchange.cause };",
    replace: "return { kind: 'not-sent', cause: exchange.cause };",
    proof: 'pure',
  },
  {
    name: 'send a refused key again though the list now shows it',
    file: 'src/withdrawal/attempt/plan.ts',
    find: 'if (facts.sentBefore && !facts.baseline.has(one.id)) return true;',
    replace: 'if (facts.sentBefore) return false;',
    proof: 'pure',
  },
  {
    name: 'take a list that does not reach back for the whole',
    file: 'src/withdrawal/matching/candidates.ts',
    find: '(intent.listedCount ?? 0) === 0 || listing.items.some(({ id }) => baseline.has(id))',
    replace: 'intent !== undefined && listing !== undefined && baseline !== undefined',
    proof: 'cases',
  },
  {
    name: 'believe a refusal without the list',
    file: 'src/withdrawal/attempt/confirm.ts',
    find: "if (verdict.kind === 'refused') return confirmRefusal(dependencies, intent, verdict, baseline);",
    replace: '',
  },
  {
    name: 'believe an answer that is about another withdrawal',
    file: 'src/withdrawal/attempt/classify.ts',
    find: ' && matches(created.data, body)',
    replace: '',
  },
  {
    name: 'let a suspended process send',
    seed: 18867,
    file: 'src/sending/departure.ts',
    find: 'passed() > longestMs',
    replace: 'false',
  },
  {
    name: 'let a person say "never sent" at once',
    seed: 800,
    file: 'src/withdrawal/resolving/as-not-sent.ts',
    find: 'if (waitMs > 0)',
    replace: 'if (waitMs > 1e15)',
  },
  {
    name: 'let a person say "never sent" against the list',
    file: 'src/withdrawal/resolving/as-not-sent.ts',
    find: 'if (candidates.length > 0)',
    replace: 'if (candidates.length > 99)',
  },
  {
    name: 'let a person say "never sent" on the word of a list that lost its past',
    file: 'src/withdrawal/settling/try-reconcile.ts',
    find: '!shortList && !reachesBack',
    replace: 'shortList && !reachesBack',
    proof: 'cases',
  },
  {
    name: 'measure the settle time by a clock that can be set',
    file: 'src/sending/send-timing.ts',
    find: 'byDay < 0 ? unset : Math.min(since ?? byDay, byDay)',
    replace: 'byDay',
    proof: 'cases',
  },
  {
    name: 'measure the settle time by the uptime of another machine',
    file: 'src/sending/send-timing.ts',
    find: "boot !== '' && intent.owner?.boot === boot &&",
    replace: "boot !== '' &&",
    proof: 'cases',
  },
  {
    name: 'measure the settle time by an uptime that has begun anew',
    file: 'src/sending/send-timing.ts',
    find: 'owner.boot !== self.boot',
    replace: 'true',
    proof: 'cases',
  },
  {
    name: 'measure the settle time from the first send of a key',
    file: 'src/sending/send-timing.ts',
    find: "findLast(({ what }) => what === 'sending')",
    replace: "find(({ what }) => what === 'sending')",
    proof: 'cases',
  },
  {
    name: 'pay again what a restored ledger does not know',
    file: 'src/withdrawal/attempt/preflight.ts',
    find: 'sentBefore: expectedFence > 0',
    replace: 'sentBefore: known?.fence != null',
    proof: 'cases',
  },
  {
    name: 'pay again what a restored ledger does not know, once another order has seen it',
    file: 'src/withdrawal/attempt/preflight.ts',
    find: 'known?.fence ?? lastSendFence(last)',
    replace: 'known?.fence ?? (lastSendFence.length && expectedFence)',
    proof: 'cases',
  },
  {
    name: 'let a late answer speak for a later send of its key',
    file: 'src/withdrawal/attempt/record-verdict.ts',
    find: 'current.fence !== ours.fence || ',
    replace: '',
    proof: 'cases',
  },
  {
    name: 'let an interrupt end the reading of the list after a refusal',
    file: 'src/withdrawal/attempt/confirm.ts',
    find: 'searchFor(dependencies, intent, { uninterrupted: true });',
    replace: 'searchFor(dependencies, intent, {});',
    proof: 'cases',
  },
  {
    name: 'let an interrupt end the looks that follow a conflict',
    file: 'src/withdrawal/attempt/confirm.ts',
    find: 'await dependencies.clock.sleep(pauseMs);',
    replace: 'if (dependencies.signal?.aborted) break;\n      await dependencies.clock.sleep(pauseMs);',
    proof: 'cases',
  },
  {
    name: 'take a word about one send for a word about the next',
    file: 'src/withdrawal/resolve.ts',
    find: 'fence !== undefined && intent.fence !== fence',
    replace: 'fence !== undefined && fence === undefined',
    proof: 'cases',
  },
  {
    name: 'let "never sent" stand against what the list writes out',
    file: 'src/withdrawal/resolving/as-not-sent.ts',
    find: 'matches(one, body) || one.id === named ? null : ',
    replace: 'matches(one, body) && one.id === named ? null : ',
    proof: 'cases',
  },
  {
    name: 'give a refused key what an unknown one would find',
    file: 'src/withdrawal/resolving/as-withdrawal.ts',
    find: 'open.request === intent.request || matches(found, bodyOf(open))',
    replace: 'open.request === intent.request && matches(found, bodyOf(open))',
    proof: 'cases',
  },
  {
    name: 'believe a refusal where the ledger cannot be read',
    file: 'src/withdrawal/attempt/confirm.ts',
    find: "} catch {\n    return { kind: 'unknown', reason: 'REFUSAL_UNCONFIRMED', status };",
    replace: '} catch {\n    return verdict;',
    proof: 'cases',
  },
  {
    name: 'send on a list that is older than another send',
    file: 'src/withdrawal/attempt/preflight.ts',
    find: '  const expectedFence = await ledger.fence(scope);\n  const listing = await orError(readListing(dependencies.service));',
    replace:
      '  const listing = await orError(readListing(dependencies.service));\n  const expectedFence = await ledger.fence(scope);',
    proof: 'cases',
  },
  {
    name: 'send what another run has begun at another address since that was looked for',
    file: 'src/withdrawal/attempt/execute.ts',
    find: 'if (other === null) return null;',
    replace: 'if (other !== undefined) return null;',
    proof: 'cases',
  },
  {
    name: 'say of a send that others have called unknown that it was called off',
    file: 'src/withdrawal/attempt/execute.ts',
    find: "left === null ? { kind: 'stale' } : ",
    replace: "left === null ? { kind: 'elsewhere', intent, other } : ",
    proof: 'cases',
  },
  {
    name: 'take --allow-duplicate for a word about what nobody was told of yet',
    file: 'src/withdrawal/attempt/plan.ts',
    find: '(reportedTwins === null || reportedTwins.has(id) || baseline.has(id))',
    replace: '(reportedTwins === null || reportedTwins.size >= 0 || baseline.has(id))',
    proof: 'cases',
  },
  {
    name: 'take --allow-duplicate for a word about what another run reports while this one waits',
    file: 'src/withdrawal/matching/reported-twins.ts',
    find: 'reading ??= read()',
    replace: 'reading = read()',
    proof: 'cases',
  },
  {
    name: 'take --allow-duplicate for a word about a payment elsewhere that nobody was told of',
    file: 'src/withdrawal/attempt/elsewhere.ts',
    find: ' && reported.has(paymentId(one))',
    replace: ' && reported.has(paymentId(one)) !== null',
    proof: 'cases',
  },
  {
    name: 'send a key at another address as soon as it was refused at the first',
    file: 'src/withdrawal/attempt/preflight.ts',
    find: 'for (const one of [last, ...elsewhere])',
    replace: 'for (const one of [last])',
    proof: 'cases',
  },
  {
    name: 'send a key that was refused at another address while the list was read',
    file: 'src/withdrawal/attempt/elsewhere.ts',
    find: "one.state === 'REFUSED' && !isKnown(one)",
    replace: "one.state === 'REFUSED' && isKnown(one) && !isKnown(one)",
    proof: 'cases',
  },
  {
    name: 'send a key again though the list shows what its send to another address may have made',
    file: 'src/withdrawal/attempt/elsewhere.ts',
    find: 'isCorrectable(one) && one.fence !== null',
    replace: 'isCorrectable(one) && one.fence === -1',
    proof: 'cases',
  },
  {
    name: 'count what a run with --allow-duplicate met as reported',
    file: 'src/withdrawal/attempt/report-held.ts',
    find: 'return allowDuplicate\n',
    replace: 'return intent === null\n',
    proof: 'cases',
  },
  {
    name: 'believe that a key of another label made nothing when it was refused, because it was accepted later',
    file: 'src/withdrawal/settling/other-scopes.ts',
    find: "some(({ state }) => state === 'REFUSED')",
    replace: "some(({ state }) => state === 'FAILED')",
    proof: 'cases',
  },
  {
    name: 'count what was reported after the run began and before it looked',
    file: 'src/withdrawal/matching/reported-twins.ts',
    find: ' && at <= by',
    replace: '',
    proof: 'cases',
  },
  {
    name: 'count as reported what a run has yet to say',
    file: 'src/withdrawal/attempt/report-held.ts',
    find: 'const { allowDuplicate = false } = request;',
    replace: 'const { allowDuplicate = false } = request; await recordReported(dependencies, intent, held);',
    proof: 'cases',
  },
  {
    name: 'judge a key by what it was before another process sent it',
    file: 'src/withdrawal/withdraw.ts',
    find: ' || intent.fence !== (known?.fence ?? null)',
    replace: '',
    proof: 'cases',
  },
  {
    name: 'measure the rest after a refusal by a clock that can be set',
    file: 'src/sending/refusal-timing.ts',
    find: 'byDay < 0 ? since : Math.min(since, byDay)',
    replace: 'byDay < 0 ? since : byDay',
    proof: 'cases',
  },
  {
    name: 'say "nothing was sent" of what another process sent',
    file: 'src/withdrawal/attempt/conclude.ts',
    find: "return intent.state === 'NOT_SENT' ? unsent",
    replace: 'return intent ? unsent',
    proof: 'cases',
  },
  {
    name: 'adopt one of another type of PIX key',
    file: 'src/withdrawal/matching/body.ts',
    find: 'one.amount === body.amount && one.pixKeyType === body.pixKeyType && isSameKey(one, body)',
    replace: 'one.amount === body.amount && isSameKey(one, body)',
    proof: 'cases',
  },
  {
    name: 'take what is newer than the clock for old',
    file: 'src/withdrawal/attempt/plan.ts',
    find: 'facts.now - created < recentMs',
    replace: 'Math.abs(facts.now - created) < recentMs',
    proof: 'pure',
  },
  {
    name: 'call accepted the end that a wait waits for',
    file: 'src/withdrawal/follow.ts',
    find: "current !== null && current.state !== 'ACCEPTED' && wasAccepted(current)",
    replace: 'current !== null && wasAccepted(current)',
    proof: 'cases',
  },
  {
    name: 'call a file done while a line is on its way',
    file: 'src/withdrawal/batch/run.ts',
    find: "new Set(['COMPLETED', 'FAILED']);",
    replace: "new Set(['COMPLETED', 'FAILED', 'ACCEPTED']);",
    proof: 'batch',
  },
  {
    name: 'go on with a file after an unknown outcome',
    file: 'src/withdrawal/batch/run.ts',
    find: '!(continueOnFailed && continuableExits.has(exit))',
    replace: '!continueOnFailed',
    proof: 'batch',
  },
  {
    name: 'create a charge again whose answer was lost',
    file: 'src/keyed-charge/send.ts',
    find: "isRefusal(error) ? 'REFUSED' : 'UNKNOWN', reason }",
    replace: "isRefusal(error) ? 'REFUSED' : 'NOT_SENT', reason }",
    proof: 'charges',
  },
  {
    name: 'let the late answer to a charge speak for another send of its key',
    file: 'src/keyed-charge/send.ts',
    find: 'current?.sentAt === sentAt && JSON.stringify(current.owner) === JSON.stringify(owner)',
    replace: 'current?.sentAt === sentAt',
    proof: 'charges',
  },
  {
    name: 'undo the send of another process',
    seed: 11427,
    file: 'src/sending/begin-sending.ts',
    find: 'if ((await ledger.events(current)).at(-1)?.id !== eventId) return;',
    replace: '',
  },
  {
    name: 'say "done" when the outcome is unknown',
    file: 'src/withdrawal/outcome/create-outcome.ts',
    find: "    'unknown',\n    'OUTCOME_UNKNOWN',",
    replace: "    'ok',\n    'OUTCOME_UNKNOWN',",
  },
  {
    name: 'send although another withdrawal is open (constraint dropped, in memory)',
    file: 'test/support/memory-ledger.ts',
    find: 'if (isOpen(intent) && isOpen(other))',
    replace: 'if (isOpen(intent) && isOpen(other) && intent.id === other.id)',
  },
  {
    name: 'send after a look that is out of date (fence dropped)',
    file: 'test/support/memory-ledger.ts',
    find: 'if (latest(next.scope, next.id) > sending.expectedFence)',
    replace: 'if (latest(next.scope, next.id) > 1e15)',
    proof: 'conformance',
  },
  {
    name: 'drop the constraint: one open withdrawal a scope',
    file: 'src/ledger/migrations.ts',
    find: 'CREATE UNIQUE INDEX ledger_one_open',
    replace: 'CREATE INDEX ledger_one_open',
    proof: 'sqlite',
  },
  {
    name: 'drop the constraint: one intent a key',
    file: 'src/ledger/migrations.ts',
    find: 'CONSTRAINT ledger_one_key UNIQUE (scope, idempotency_key),',
    replace: '',
    proof: 'conformance',
  },
  {
    name: 'drop the constraint: one claim a withdrawal',
    file: 'src/ledger/migrations.ts',
    find: 'CONSTRAINT ledger_one_claim UNIQUE (scope, kind, resource_id),',
    replace: '',
    proof: 'conformance',
  },
  {
    name: 'write over what another process wrote',
    file: 'src/ledger/rows.ts',
    find: 'WHERE id = $1 AND version = $2',
    replace: 'WHERE id = $1 AND version >= 0 * $2',
    proof: 'sqlite',
  },
];

export interface Verdict {
  readonly caught: boolean;
  /** What noticed it, or what did not. */
  readonly how: string;
}

/**
 * A copy of what the proofs read. All mutants are made in it one after another, because copying it, and compiling it
 * again for every proof, takes longer than most proofs.
 */
export interface Copy extends AsyncDisposable {
  readonly home: string;
}

export async function openCopy(): Promise<Copy> {
  const home = await mkdtemp(join(tmpdir(), 'pixctl-mutant-'));
  const copy = {
    home,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
  try {
    const parts = [
      'src',
      'test/support',
      'test/ledger',
      'test/withdrawal',
      'test/keyed-charge',
      'package.json',
    ];
    for (const part of parts) await cp(join(root, part), join(home, part), { recursive: true });
    await symlink(join(root, 'node_modules'), join(home, 'node_modules'), 'junction');
    await mkdir(join(home, 'tmp'));
    return copy;
  } catch (error) {
    await copy[Symbol.asyncDispose]();
    throw error;
  }
}

/** Makes the mutant in the copy, runs its proof, and restores the copy. */
export async function tryMutant(mutant: Mutant, { home }: Copy): Promise<Verdict> {
  const file = join(home, mutant.file);
  const text = await readFile(file, 'utf8');
  if (text.split(mutant.find).length !== 2)
    throw new Error(`${mutant.file} does not hold exactly once: ${mutant.find}`);
  await writeFile(
    file,
    text.replace(mutant.find, () => mutant.replace),
  );
  try {
    const { code, output, noticed } = await runProof(home, mutant);
    return { caught: code !== 0 && noticed !== null, how: (noticed ?? output.slice(-300)).slice(0, 160) };
  } finally {
    await writeFile(file, text);
  }
}

function runProof(
  home: string,
  { proof = 'simulation', seed = 1 }: Pick<Mutant, 'proof' | 'seed'>,
  timeout = 120_000,
): Promise<{ code: number; output: string; noticed: string | null }> {
  const simulate = ['test/withdrawal/simulation/main.ts', '--seed', String(seed), '--runs'];
  // A slow test has noticed nothing: only the end of the whole proof ends it.
  const patient = ['--testTimeout=0', '--hookTimeout=0'];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...patient, '--dir'];
  const args = {
    simulation: [...simulate, '20000'],
    sqlite: [...simulate, '400', '--ledger', 'sqlite'],
    scopes: [...simulate, '4000', '--scopes'],
    conformance: [...vitest, 'test/ledger', 'conformance'],
    cases: [
      ...[...vitest, 'test/withdrawal'],
      ...[
        'withdraw',
        'try-reconcile',
        'resolve',
        'follow',
        'audit',
        'meanwhile',
        'elsewhere',
        'other-scopes',
      ].map((name) => `${name}.test`),
    ],
    pure: [...vitest, 'test/withdrawal', 'classify.test', 'plan.test'],
    batch: [...vitest, 'test/withdrawal/batch'],
    charges: [...vitest, 'test/keyed-charge'],
  }[proof];
  const compiled = join(home, 'compiled');
  // What a proof leaves behind goes with the copy.
  const own = { TMPDIR: join(home, 'tmp'), NODE_COMPILE_CACHE: compiled };
  const env = { ...process.env, PIXCTL_TEST_POSTGRES: 'off', NO_COLOR: '1', ...own };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: home, env, timeout }, (error, out, err) => {
      const output = `${out}\n${err}`;
      const noticed = /VIOLATION.*|(?:FAIL|×) .*/.exec(output)?.[0] ?? null;
      resolve({ code: error === null ? 0 : 1, output, noticed });
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const word = process.argv[2] ?? '';
  const chosen = mutants.filter(({ name }) => name.includes(word));
  if (chosen.length === 0) throw new Error(`No mutant is called anything with "${word}".`);
  await using copy = await openCopy();
  for (const proof of new Set(chosen.map(({ proof = 'simulation' }) => proof))) {
    const { code, noticed, output } = await runProof(copy.home, { proof }, 600_000);
    if (code !== 0)
      throw new Error(`The proof fails where nothing is broken: ${noticed ?? output.slice(-300)}`);
  }
  for (const mutant of chosen) {
    const { caught, how } = await tryMutant(mutant, copy);
    process.stdout.write(`${caught ? 'caught  ' : 'SURVIVED'}  ${mutant.name}\n          ${how}\n`);
    if (!caught) process.exitCode = 1;
  }
}

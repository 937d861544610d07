import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addNothingSent,
  asSentence,
  exitCodes,
  hideSecrets,
  kindForSignal,
  orError,
  PixctlError,
  qualifyNothingSent,
  removeNothingSent,
  rewordError,
  rewordNothingSent,
  usageError,
} from '../src/errors.ts';

it('each kind has the exit code that scripts know it by, and none is one of Node itself but 1', () => {
  const codes = Object.fromEntries(Object.entries(exitCodes).map(([kind, { exit }]) => [kind, exit]));
  expect(codes).toEqual({
    ok: 0,
    unexpected: 1,
    usage: 64,
    data: 65,
    storage: 74,
    later: 75,
    auth: 77,
    config: 78,
    refused: 80,
    unknown: 81,
    pending: 82,
    endedBadly: 83,
    blocked: 84,
    keyReused: 85,
    duplicate: 86,
    policy: 87,
    notFound: 88,
    interrupted: 130,
    terminated: 143,
  });
});

it.each([
  ['--limit takes a whole number from 1 to 100, not "0". Nothing was sent.', '--limit'],
  ['--amount: could be cents or reais. Nothing was sent.', '--amount'],
  ['--since and --until need --unclaimed. Nothing was sent.', '--since'],
  ['--json=id takes no fields', '--json'],
  ['pixctl has no flag --limt', '--limt'],
  ['pixctl config path takes no --dry-run', '--dry-run'],
  ['<id> is missing: the charge.', '<id>'],
  ['<event id> is empty. Nothing was sent.', '<event id>'],
  ['pixctl charge list has no flag --limt; did you mean --limit? Nothing was sent.', '--limt'],
  ['pixctl charge has no command "lst". Nothing was sent.', undefined],
  ['There is no setting "--x".', undefined],
  ['limit: must be a number', undefined],
])('a usage error knows the flag or argument that its message begins with: %s', (message, field) => {
  expect(usageError(message).field).toBe(field);
  expect(rewordError(usageError(message), { message: 'other words' }).field).toBe(field);
});

describe('rewordError', () => {
  const cause = new PixctlError('later', 'X', 'It failed.', {
    hint: 'Again.',
    httpStatus: 503,
    serviceCode: 'Y',
    retryAfterMs: 7,
    isPermanent: true,
    alreadyShown: true,
  });
  const {
    message,
    kind,
    code,
    exit,
    hint,
    httpStatus,
    serviceCode,
    retryAfterMs,
    isPermanent,
    alreadyShown,
  } = cause;
  const facts = {
    message,
    kind,
    code,
    exit,
    hint,
    httpStatus,
    serviceCode,
    retryAfterMs,
    isPermanent,
    alreadyShown,
  };

  it('leaves what is not given as it was', () => {
    expect(rewordError(cause, {})).toMatchObject({ ...facts, cause });
  });

  it('says otherwise what is given', () => {
    const other = { kind: 'unknown', code: 'Z', message: 'Who knows.', hint: 'Look.' } as const;
    expect(rewordError(cause, other)).toMatchObject({ ...facts, ...other, exit: 81, cause });
  });
});

describe('"nothing was sent"', () => {
  it.each([
    ['It failed.', 'It failed; nothing was sent'],
    ['It failed', 'It failed; nothing was sent'],
    ['It failed. Nothing was sent.', 'It failed. Nothing was sent.'],
    ['It failed; nothing was sent.', 'It failed; nothing was sent.'],
  ])('is added to %j', (text, said) => {
    expect(addNothingSent(text)).toBe(said);
  });

  it('is removed where nobody expects anything to be sent', () => {
    expect(removeNothingSent('No file. Nothing was sent.')).toBe('No file.');
    expect(removeNothingSent(addNothingSent('No file.'))).toBe('No file');
    // What an earlier run sent is not known.
    const qualified = 'No file; nothing was sent in this run';
    expect(removeNothingSent(qualified)).toBe(qualified);
  });

  it('is said of what was to be done instead, and only by our own errors', async () => {
    const failing = (thrown: unknown) => rewordNothingSent('signed', () => Promise.reject(thrown));
    await expect(failing(new PixctlError('usage', 'X', 'No file. Nothing was sent.'))).rejects.toMatchObject({
      exit: 64,
      message: 'No file. Nothing was signed.',
    });
    const bug = new Error('Nothing was sent.');
    await expect(failing(bug)).rejects.toBe(bug);
    expect(await rewordNothingSent('signed', () => 7)).toBe(7);
  });

  it.each([
    ['storage', 'The ledger is full; nothing was sent.', 'The ledger is full; nothing was sent in this run.'],
    ['config', 'No profile. Nothing was sent.', 'No profile. Nothing was sent in this run.'],
    ['config', 'Nothing was sent in this run.', 'Nothing was sent in this run.'],
    ['usage', 'No key. Nothing was sent.', 'No key. Nothing was sent.'],
    ['later', 'No answer. Nothing was sent.', 'No answer. Nothing was sent.'],
  ] as const)(
    'is said of this run alone where an earlier one was not looked up: %s, %j',
    async (kind, text, said) => {
      const failing = qualifyNothingSent(() => Promise.reject(new PixctlError(kind, 'X', text)));
      await expect(failing).rejects.toMatchObject({ kind, message: said });
    },
  );
});

it('an error of this family is returned, and no other one', async () => {
  const ours = new PixctlError('later', 'X', 'no');
  expect(await orError(Promise.reject(ours))).toBe(ours);
  expect(await orError(Promise.resolve(7))).toBe(7);
  const bug = new TypeError('a bug');
  await expect(orError(Promise.reject(bug))).rejects.toBe(bug);
});

it.each([
  ['SIGINT', 'interrupted'],
  ['SIGTERM', 'terminated'],
  ['SIGHUP', 'terminated'],
  [undefined, 'interrupted'],
])('a run that %s stopped is %s', (signal, kind) => {
  expect(kindForSignal(signal)).toBe(kind);
});

describe('hideSecrets', () => {
  it.each([
    ['key svc_abcd1234, please', 'key svc_****, please'],
    ['https://a.example/?k=%20svc_sandbox_ab-cd', 'https://a.example/?k=%20svc_****'],
    ['whsec_test_0123456789abcdef', 'whsec_****'],
    ['eyJhbGciOiJI.eyJzdWIi.c2ln-x_', 'eyJ****'],
    ['eyJhbGciOiJI.eyJzdWIi', 'eyJ****'],
    ['svc_ and whsec_abc', 'svc_ and whsec_abc'],
    ['svc_sandbox_ and 16 characters, svc_sandbox_...', 'svc_sandbox_ and 16 characters, svc_sandbox_...'],
    ['whsec_sandbox_ of nothing', 'whsec_**** of nothing'],
    ['svc_abcd svc_efgh', 'svc_**** svc_****'],
  ])('%j', (text, shown) => {
    expect(hideSecrets(text)).toBe(shown);
  });

  it('leaves nothing of a key, whatever stands around it', () => {
    const around = fc.string({ maxLength: 12 });
    const key = fc.oneof(
      fc.stringMatching(/^(?:svc|whsec)_[A-Za-z0-9_-]{8,40}$/),
      fc.stringMatching(/^svc_sandbox_[\w-]{1,40}$/),
    );
    fc.assert(
      fc.property(around, key, around, (before, secret, after) => {
        expect(hideSecrets(before + secret + after)).not.toContain(secret.slice(secret.indexOf('_') + 1));
      }),
    );
  });
});

it.each([
  ['no such file', 'No such file.'],
  ['It failed!', 'It failed!'],
  ['really?', 'really?'],
  ['pixctl is gone', 'pixctl is gone.'],
  ['localhost is down', 'localhost is down.'],
  ['chg_1 is gone', 'chg_1 is gone.'],
])('%j as a sentence', (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
});

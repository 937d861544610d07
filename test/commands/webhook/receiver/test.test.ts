import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { verify } from '../../../../src/contract/signature.ts';
import { noSignals } from '../../../support/platform.ts';
import { alwaysAnswering, type Received, type Receiver, startReceiver } from '../../../support/receiver.ts';
import { run, start } from '../../../support/run.ts';

const secret = 'whsec_test_0123456789abcdef';
const env = { PIXCTL_WEBHOOK_SECRET: secret };
let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

const judge = ({ headersDistinct, body }: Received, toleranceMs: number | null = 300_000) =>
  verify({ secret, body, header: headersDistinct['service-signature'], now: Date.now(), toleranceMs });
/** Milliseconds since the epoch; not a number where the signature does not hold. */
const signedAt = (got: Received): number => {
  const verified = judge(got, null);
  return verified.ok ? verified.timestamp * 1000 : Number.NaN;
};
const isJson = ({ body }: Received): boolean => {
  try {
    return JSON.parse(String(body)) !== undefined;
  } catch {
    return false;
  }
};
const parsed = ({ body }: Received) => JSON.parse(body);
const sound = (got: Received): number => (judge(got).ok ? 200 : 400);

interface Row {
  case: string;
  passed: boolean;
  statuses: (number | null)[];
  reason: string;
}
const score = async (answer: (got: Received) => number | Promise<number>, flags: string[] = []) => {
  receiver = await alwaysAnswering(answer);
  // A machine that is busy is no slow receiver.
  const patient = flags.includes('--max-answer') ? flags : ['--max-answer', '9s', ...flags];
  const finished = await run(['webhook', 'test', receiver.url, '-o', 'json', ...patient], { env });
  const rows: Row[] = JSON.parse(finished.stdout);
  return { ...finished, rows, failed: rows.filter(({ passed }) => !passed).map((row) => row.case) };
};

const everyCase = [
  'valid',
  'duplicate',
  'out-of-order',
  'unsigned',
  'forged',
  'not-json',
  'tampered',
  're-serialised',
  'raw-bytes',
  'non-ascii',
  'stale',
  'future',
  'unknown-event',
  'unknown-fields',
  'empty-data',
  'large-body',
  'slow-answer',
];

describe('webhook test', () => {
  it('passes a sound receiver in every case', async () => {
    const { code, rows, failed } = await score(sound);
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
    expect(rows.map((row) => row.case)).toEqual(everyCase);
  });

  const seen = new Set<string>();
  it.each<[string, (got: Received) => number, string[]]>([
    [
      'believes everything',
      () => 200,
      ['unsigned', 'forged', 'not-json', 'tampered', 're-serialised', 'stale', 'future'],
    ],
    [
      'refuses everything',
      () => 400,
      [
        'valid',
        'duplicate',
        'out-of-order',
        'raw-bytes',
        'non-ascii',
        'unknown-event',
        'unknown-fields',
        'large-body',
        'slow-answer',
      ],
    ],
    [
      'compares no more of a signature than came',
      (got) => (String(got.headers['service-signature']).endsWith('v1=') ? 200 : sound(got)),
      ['unsigned'],
    ],
    ['does not look at the time', (got) => (judge(got, null).ok ? 200 : 400), ['stale', 'future']],
    ['takes what is signed ahead', (got) => (signedAt(got) > Date.now() - 300_000 ? 200 : 400), ['future']],
    ['takes what is old', (got) => (signedAt(got) < Date.now() + 300_000 ? 200 : 400), ['stale']],
    [
      'refuses duplicates',
      (got) => {
        if (!judge(got).ok || seen.has(parsed(got).id)) return 409;
        seen.add(parsed(got).id);
        return 200;
      },
      ['duplicate'],
    ],
    [
      'refuses unknown events',
      (got) => (sound(got) === 200 && parsed(got).event === 'SOMETHING_NEW' ? 422 : sound(got)),
      ['unknown-event'],
    ],
    [
      'refuses unknown fields',
      (got) => (sound(got) === 200 && 'livemode' in parsed(got) ? 422 : sound(got)),
      ['unknown-fields'],
    ],
    [
      'breaks on missing fields',
      (got) => (sound(got) === 200 && parsed(got).data.amount === undefined ? 500 : sound(got)),
      ['empty-data'],
    ],
    ['bounds bodies at 100 kB', (got) => (got.body.length > 100_000 ? 413 : sound(got)), ['large-body']],
    [
      'answers forgeries with 500',
      (got) => (judge(got).ok ? 200 : 500),
      ['unsigned', 'forged', 'not-json', 'tampered', 're-serialised', 'stale', 'future'],
    ],
    ['redirects', () => 302, everyCase],
    ['says that nothing has changed', () => 304, everyCase],
    [
      'serialises the body again before it checks',
      (got) => (judge({ ...got, body: JSON.stringify(parsed(got)) }).ok ? 200 : 400),
      ['not-json', 're-serialised', 'raw-bytes'],
    ],
    ['parses the body before it checks', (got) => (isJson(got) ? sound(got) : 500), ['not-json']],
    [
      'takes the body for an object before it checks',
      (got) => (String(got.body) === 'null' ? 500 : sound(got)),
      ['not-json'],
    ],
    [
      'takes the body for Latin-1 before it checks',
      (got) => (judge({ ...got, body: Buffer.from(got.body).toString('latin1') }).ok ? 200 : 400),
      ['non-ascii'],
    ],
    [
      'breaks where a character has more than three bytes',
      (got) => (sound(got) === 200 && /[\u{10000}-\u{10ffff}]/u.test(String(got.body)) ? 500 : sound(got)),
      ['non-ascii'],
    ],
  ])('catches a receiver that %s', async (_, answer, cases) => {
    const { code, failed, stderr } = await score(answer);
    expect({ code, failed }).toEqual({ code: 83, failed: cases });
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'RECEIVER_FAILED' },
    });
  });

  it.each([
    [302, true],
    [304, false],
  ])('calls a %i a redirect: %s', async (status, expected) => {
    const { rows } = await score(() => status);
    expect(rows[0]?.reason.includes('a redirect, which is not followed')).toBe(expected);
    expect(rows[0]?.reason.includes('give the address that it leads to')).toBe(expected);
  });

  it('catches a slow receiver', async () => {
    // No answer takes no time at all.
    const { code, failed, rows } = await score(sound, ['--max-answer', '0']);
    expect({ code, failed }).toEqual({ code: 83, failed: rows.map((row) => row.case) });
    expect(rows[0]?.reason).toContain('longer than --max-answer allows');
    expect(rows.at(-1)?.reason).toContain('answer first and work later');
  });

  it('waits for no answer longer than --timeout', async () => {
    // All but the last case are sound, and that one is never answered.
    const hangs = async (got: Received) => {
      if ((receiver?.received.length ?? 0) > 21) await new Promise(() => {});
      return sound(got);
    };
    const { code, failed, rows } = await score(hangs, ['--timeout', '3s']);
    expect({ code, failed }).toEqual({ code: 83, failed: ['slow-answer'] });
    expect(rows.at(-1)?.reason).toBe('it did not answer within 3 s');
  });

  it('sends the five of the last case at once', async () => {
    const all = Promise.withResolvers<void>();
    const { code } = await score(async (got) => {
      const count = receiver?.received.length ?? 0;
      if (count === 26) all.resolve();
      if (count > 21) await all.promise;
      return sound(got);
    });
    expect(code).toBe(0);
  });

  it('asks about the secret in whatever is refused that must be taken, when the genuine one is', async () => {
    const { rows } = await score(() => 401);
    const reasons = rows.filter(({ passed }) => !passed).map(({ reason }) => reason);
    expect(reasons).toHaveLength(9);
    for (const reason of reasons) expect(reason).toContain('is the secret given here the one');
    expect(rows.find((row) => row.case === 'raw-bytes')?.reason).not.toContain('raw bytes');
  });

  it.each([
    [301, 'give the address that it leads to', 17],
    [404, 'is this the path where it accepts a POST?', 9],
    [405, 'is this the path where it accepts a POST?', 9],
    [500, 'its own log says why', 17],
  ])(
    'does not look for the fault in the secret or the signature where all is answered with %d',
    async (status, doubt, count) => {
      const { rows } = await score(() => status);
      const reasons = rows.filter(({ passed }) => !passed).map(({ reason }) => reason);
      expect(reasons).toHaveLength(count);
      for (const reason of reasons) expect(reason).toContain(doubt);
    },
  );

  it('says what a receiver does too early that breaks on what is no JSON', async () => {
    const { rows } = await score((got) => (isJson(got) ? sound(got) : 500));
    expect(rows.find((row) => row.case === 'not-json')?.reason).toBe(
      'answered 500, which the service tries again, three times in all: it parses the body before it checks the signature; refuse it with 400',
    );
  });

  it.each([[500], [302]])(
    'says no such thing of one that checks first and answers every bad signature with %d',
    async (status) => {
      const { rows } = await score((got) => (judge(got).ok ? 200 : status));
      const reason = rows.find((row) => row.case === 'not-json')?.reason;
      expect(reason).toMatch(new RegExp(`^answered ${status}, .*: refuse it with 400$`));
    },
  );

  it('says no such thing of a redirect where bad signatures are refused', async () => {
    const { rows } = await score((got) => (isJson(got) ? sound(got) : 302));
    expect(rows.find((row) => row.case === 'not-json')?.reason).not.toContain('parses');
  });

  it('repeats what the receiver said of the genuine delivery that it did not take, and of no other', async () => {
    receiver = await startReceiver();
    receiver.otherwise = (_, response) =>
      void response.writeHead(500).end('{"message":\n  "the body is an object\u001b[2J"}\n');
    const junit = join(mkdtempSync(join(tmpdir(), 'pixctl-junit-')), 'score.xml');
    const { stdout } = await run(['webhook', 'test', receiver.url, '-o', 'json', '--junit', junit], { env });
    const [first, ...rest] = (JSON.parse(stdout) as Row[]).map(({ reason }) => reason);
    expect(first).toContain('its own log says why. It said "{"message": "the body is an object\u001b[2J"}"');
    for (const reason of rest) expect(reason).not.toContain('It said');
    expect(readFileSync(junit, 'utf8')).not.toContain('\u001b');
  });

  it('goes on when the receiver breaks the connection', async () => {
    const { code, failed, rows } = await score((got) => {
      if (sound(got) === 200 && parsed(got).event === 'SOMETHING_NEW') throw new Error('broken');
      return sound(got);
    });
    expect({ code, failed, count: rows.length }).toEqual({ code: 83, failed: ['unknown-event'], count: 17 });
    expect(rows.find((row) => row.case === 'unknown-event')?.reason).toBe(
      'it closed the connection without an answer; asked again, it closed the connection without an answer',
    );
  });

  it('goes on when the receiver breaks the first connection, or goes away later', async () => {
    const breaks = await score(() => {
      throw new Error('broken');
    });
    expect([breaks.code, breaks.failed]).toEqual([83, everyCase]);
    const leaves = await score(() => {
      if (receiver?.received.length === 2) void receiver.close();
      return 200;
    });
    expect([leaves.code, leaves.failed]).toEqual([83, everyCase.slice(1)]);
  });

  it('writes the score as JUnit XML', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-junit-')), 'score.xml');
    await score((got) => (judge(got, null).ok ? 200 : 400), ['--junit', path]);
    const xml = readFileSync(path, 'utf8');
    expect(xml).toContain('tests="17" failures="2" errors="0"');
    expect(xml.match(/<testcase /g)).toHaveLength(17);
    expect(xml.match(/<failure message="accepted it \(200\): [^"<>]+"\/>/g)).toHaveLength(2);
  });

  it.skipIf(process.platform === 'win32')('writes it to a pipe too, once', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-junit-')), 'pipe');
    execFileSync('mkfifo', [path]);
    const [xml] = await Promise.all([readFile(path, 'utf8'), score(sound, ['--junit', path])]);
    expect(xml.match(/<testsuites /g)).toHaveLength(1);
    expect(xml).toContain('errors="0"');
  });

  const unfinished = 'The file /dev/full could not be written (ENOSPC).';
  it.skipIf(process.platform !== 'linux')(
    'exits 1 when the JUnit file cannot be finished: 74 would say that nothing was sent',
    async () => {
      const { code, stderr, rows } = await score(sound, ['--junit', '/dev/full']);
      expect(code).toBe(1);
      expect(stderr).toContain(unfinished);
      expect(stderr).not.toContain('Nothing was sent');
      expect(rows).toHaveLength(17);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'says that nobody is there also where the JUnit file cannot be finished',
    async () => {
      const gone = await startReceiver();
      await gone.close();
      const { code, stderr } = await run(['webhook', 'test', gone.url, '--junit', '/dev/full'], { env });
      expect(code).toBe(75);
      expect(stderr).not.toContain(unfinished);
    },
  );

  it('refuses a tolerance for which no delivery can be too old, before anything is sent', async () => {
    receiver = await alwaysAnswering(sound);
    const { code, stderr } = await run(['webhook', 'test', receiver.url, '--tolerance', '366d'], { env });
    expect(code).toBe(64);
    expect(stderr).toContain('--tolerance takes at most 365d. Nothing was sent.');
    expect(receiver.received).toEqual([]);
  });

  it('exits 64 when the JUnit file cannot be written, before anything is sent', async () => {
    receiver = await alwaysAnswering(sound);
    const { code, stderr } = await run(['webhook', 'test', receiver.url, '--junit', '/nowhere/score.xml'], {
      env,
    });
    expect(code).toBe(64);
    expect(stderr).toContain('there is no such directory');
    expect(receiver.received).toEqual([]);
  });

  it('keeps score to the end when its reader goes away', async () => {
    receiver = await alwaysAnswering((got) => {
      child.stdout.destroy();
      return judge(got, null).ok ? 200 : 400;
    });
    const child = start(['webhook', 'test', receiver.url, '-o', 'ndjson'], { env });
    child.stdin.end();
    child.stderr.resume();
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, requests: receiver.received.length }).toEqual({ code: 83, requests: 26 });
  });

  const ends = [
    ['SIGINT', 130, { tests: 17, failures: 0, errors: 15 }],
    ['SIGTERM', 143, { tests: 17, failures: 0, errors: 15 }],
    ['SIGKILL', null, { tests: 17, failures: 0, errors: 17 }],
  ] as const;
  it.each(ends.filter(([, exit]) => noSignals === null || exit === null))(
    'is no success when it is stopped on the way by %s, nor for a build server',
    async (signal, exit, counts) => {
      const path = join(mkdtempSync(join(tmpdir(), 'pixctl-junit-')), 'score.xml');
      writeFileSync(path, '<testsuites tests="17" failures="0" errors="0"/>\n'.repeat(200));
      let child: ReturnType<typeof start> | undefined;
      receiver = await alwaysAnswering(async (got) => {
        if (receiver?.received.length === 5) {
          child?.kill(signal);
          // Never answered: it is in the middle of this one, whenever the signal arrives.
          await new Promise(() => {});
        }
        return sound(got);
      });
      child = start(['webhook', 'test', receiver.url, '--timeout', '1h', '--junit', path], { env });
      child.stdin.end();
      child.stdout.resume();
      let said = '';
      child.stderr.on('data', (chunk) => (said += chunk));
      const code = await new Promise((resolve) => child?.on('close', resolve));
      expect(code).toBe(exit);
      if (exit !== null) expect(said).toContain('so there is no score');
      const xml = readFileSync(path, 'utf8');
      const { tests, failures, errors } = counts;
      expect(xml).toContain(`tests="${tests}" failures="${failures}" errors="${errors}"`);
      expect(xml.match(/<error message="it was not tried/g)).toHaveLength(errors);
      expect(xml.endsWith('</testsuites>\n')).toBe(true);
      expect(xml.match(/<testsuites/g)).toHaveLength(1);
    },
  );

  it('exits 75 when nobody is there', async () => {
    const gone = await startReceiver();
    await gone.close();
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-junit-')), 'score.xml');
    const { code, stderr } = await run(['webhook', 'test', gone.url, '--junit', path], { env });
    expect(code).toBe(75);
    expect(stderr).toContain('refused the connection');
    expect(readFileSync(path, 'utf8')).toContain('tests="17" failures="0" errors="17"');
  });

  it('tries no receiver on another machine unless told to', async () => {
    const { code, stderr } = await run(['webhook', 'test', 'http://192.0.2.1/'], { env });
    expect(code).toBe(64);
    expect(stderr).toContain('--allow-remote');
  });
});

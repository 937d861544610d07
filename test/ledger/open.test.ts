/** A ledger that is gone, emptied, replaced or damaged is noticed before anything is sent. */
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../src/contract/brand.ts';
import { type Intent, scopeOf } from '../../src/ledger/intent.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { changeLedger } from '../support/change-ledger.ts';
import { modeOf, noModes, skipped } from '../support/platform.ts';

const home = () => mkdtempSync(join(tmpdir(), 'pixctl-ledger-'));
const open = (url: string, expectedId: string | null = null) =>
  openLedger({ url, expectedId, clock: systemClock });
const made = async (path: string): Promise<string> => {
  const ledger = await open(path);
  await ledger.close();
  return ledger.id;
};

describe('the ledger of the embedded default', () => {
  it('keeps its id, and many that make it at once agree on it', async () => {
    const path = join(home(), 'ledger.sqlite');
    const all = await Promise.all(Array.from({ length: 4 }, () => open(path)));
    const [first] = all;
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    for (const one of all) await one.close();
    const again = await open(path, first?.id ?? '');
    expect(again.id).toBe(first?.id);
    await again.close();
  });

  it.each([
    ['deleted', (path: string) => rmSync(path), 'LEDGER_MISSING'],
    ['emptied', (path: string) => truncateSync(path, 0), 'LEDGER_MISSING'],
    ['replaced by another', (path: string, other: string) => copyFileSync(other, path), 'LEDGER_REPLACED'],
  ])('%s is exit 78, and nothing is made in its place', async (_, harm, code) => {
    const at = home();
    const [path, other] = [join(at, 'ledger.sqlite'), join(at, 'other.sqlite')];
    const id = await made(path);
    await made(other);
    harm(path, other);
    const before = statSync(path, { throwIfNoEntry: false })?.size;
    await expect(open(path, id)).rejects.toMatchObject({ kind: 'config', code });
    expect(statSync(path, { throwIfNoEntry: false })?.size).toBe(before);
    await expect(open(path, id)).rejects.toThrow('nothing was sent');
    await expect(open(path, id)).rejects.toMatchObject({
      hint: expect.stringContaining(
        'Set PIXCTL_STATE_DIR or PIXCTL_LEDGER_URL as it was before, or restore the ledger.',
      ),
    });
  });

  it.skipIf(noModes !== null)(
    skipped('that cannot be looked for is exit 74, with why', noModes),
    async () => {
      const at = home();
      const id = await made(join(at, 'ledger.sqlite'));
      symlinkSync('loop', join(at, 'loop'));
      await expect(open(join(at, 'loop/ledger.sqlite'), id)).rejects.toMatchObject({
        kind: 'storage',
        message: `the database ${at}/loop/ledger.sqlite could not be opened: ELOOP`,
        hint: 'Check that you may enter the directories above it.',
      });
    },
  );

  it('that has lost its id is exit 78, and gets no other', async () => {
    const path = join(home(), 'ledger.sqlite');
    const id = await made(path);
    changeLedger(path, 'DELETE FROM ledger_identity');
    for (const _ of ['first', 'second'])
      await expect(open(path, id)).rejects.toMatchObject({
        code: 'LEDGER_REPLACED',
        message: expect.stringContaining('has been emptied; nothing was sent'),
      });
  });

  it('that is not the one of PIXCTL_LEDGER_ID is reported with both ids', async () => {
    const path = join(home(), 'ledger.sqlite');
    const id = await made(path);
    const expected = { url: path, expectedId: `${id} `, idIsGiven: true, clock: systemClock };
    await expect(openLedger(expected)).rejects.toMatchObject({
      code: 'LEDGER_REPLACED',
      message: `the ledger at ${path} has the id ${id}, and PIXCTL_LEDGER_ID is "${id} "; nothing was sent`,
      hint: expect.stringContaining('correct PIXCTL_LEDGER_ID'),
    });
  });

  it.each([
    ['no database', 'this is a text file, long enough to be taken for the head of a database'.repeat(20)],
    ['cut in the middle', null],
  ])('that is %s is exit 74', async (_, text) => {
    const path = join(home(), 'ledger.sqlite');
    const id = await made(path);
    if (text === null) truncateSync(path, 6_000);
    else writeFileSync(path, text);
    await expect(open(path, id)).rejects.toMatchObject({ kind: 'storage' });
  });

  it.each([
    ['at the first run', async () => null, "Name a file that is pixctl's alone"],
    ['in place of the one used before', () => made(join(home(), 'other.sqlite')), 'could be paid twice'],
  ])("that is another program's database is exit 78 %s, and stays as it is", async (_, idBefore, next) => {
    const at = home();
    const path = join(at, 'shop.sqlite');
    const shop = new DatabaseSync(path);
    shop.exec('CREATE TABLE orders (id); CREATE TABLE goods (id); INSERT INTO orders VALUES (1)');
    shop.close();
    chmodSync(path, 0o644);
    const before = readFileSync(path);
    await expect(open(path, await idBefore())).rejects.toMatchObject({
      kind: 'config',
      code: 'DATABASE_FOREIGN',
      message: `${path} is the database of another program (its tables: orders, goods); it was not changed; nothing was sent`,
      hint: expect.stringContaining(next),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(modeOf(path, '644')).toBe('644');
    expect(readdirSync(at)).toEqual(['shop.sqlite']);
  });

  it('is for the owner only', async () => {
    const at = home();
    await made(join(at, 'state', 'ledger.sqlite'));
    expect(modeOf(join(at, 'state'), '700')).toBe('700');
    for (const name of ['ledger.sqlite']) expect(modeOf(join(at, 'state', name), '600')).toBe('600');
  });
});

describe('a row that no pixctl of this version wrote', () => {
  const scope = scopeOf({ merchant: 'loja', baseUrl: 'http://127.0.0.1:1' });
  const key = 'k1' as IdempotencyKey;
  const harmed = async (harm: string) => {
    const path = join(home(), 'ledger.sqlite');
    const ledger = await open(path);
    await ledger.plan(
      { id: 'i1', kind: 'withdrawal', scope, idempotencyKey: key, amount: 1050 as Cents, request: '{}' },
      { id: 'e1', at: 1000, what: 'planned' },
    );
    await ledger.close();
    changeLedger(path, `PRAGMA ignore_check_constraints = 1; ${harm}`);
    return open(path, ledger.id);
  };

  it.each([
    ["UPDATE ledger_intents SET state = 'PARKED'", 'there is no state "PARKED"'],
    ["UPDATE ledger_intents SET request = '{'", 'its request is not JSON'],
    ["UPDATE ledger_intents SET result = '[]'", 'the record of the service is not JSON'],
    ['UPDATE ledger_intents SET amount = 10.5', 'its numbers are not whole'],
    ['UPDATE ledger_intents SET departed = 2', 'it does not say whether its request has left'],
  ])('is exit 74, not taken for one that was not sent: %s', async (harm, why) => {
    const ledger = await harmed(harm);
    const unreadable = {
      kind: 'storage',
      message: `the ledger cannot be read at the key "k1": ${why}`,
      hint: expect.stringContaining('Never delete a ledger'),
    };
    await expect(ledger.find(scope, key)).rejects.toMatchObject(unreadable);
    await expect(ledger.list(scope)).rejects.toMatchObject(unreadable);
    await ledger.close();
  });

  it('is exit 74 in the history too', async () => {
    const ledger = await harmed("UPDATE ledger_events SET details = '{'");
    const intent = await ledger.find(scope, key);
    await expect(ledger.events(intent as Intent)).rejects.toMatchObject({
      kind: 'storage',
      message: 'the ledger cannot be read at the event e1: its details are not JSON',
    });
    await ledger.close();
  });
});

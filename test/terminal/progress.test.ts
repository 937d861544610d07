import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { startProgress } from '../../src/terminal/progress.ts';
import { memoryIo } from '../support/memory-io.ts';

/** A clock whose sleeps end when told to. */
function heldClock() {
  const waiting: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: () => new Promise((resolve) => void waiting.push(resolve)),
  };
  return { clock, release: () => waiting.splice(0).forEach((resolve) => void resolve()) };
}

const screenOf = (stream: PassThrough) => {
  let screen = '';
  const firstDrawing = new Promise<void>((resolve) => stream.once('data', () => resolve()));
  stream.on('data', (chunk) => {
    screen += chunk;
  });
  return { firstDrawing, text: () => screen };
};

describe('progress', () => {
  it('is shown on a terminal after a while, with its last text', async () => {
    const stderr = new PassThrough();
    const screen = screenOf(stderr);
    const { clock, release } = heldClock();
    const progress = startProgress({ ...memoryIo(), stderr, stderrIsTerminal: true }, clock, {
      quiet: false,
      text: 'reading',
    });
    progress.count(12, 40, 'charges\x1b[2J');
    release();
    await screen.firstDrawing;
    progress.stop();
    expect(screen.text()).toContain('[======              ] 12 of 40 charges\\x1b[2J');
  });

  it('says nothing again that has not changed: a dumb terminal has a line for each', async () => {
    const stderr = new PassThrough();
    const screen = screenOf(stderr);
    const { clock, release } = heldClock();
    const progress = startProgress({ ...memoryIo(), stderr, stderrIsTerminal: true }, clock, {
      quiet: false,
      text: 'PENDING',
    });
    release();
    await screen.firstDrawing;
    for (const text of ['PENDING', 'PENDING', 'PAID', 'PAID']) progress.update(text);
    progress.stop();
    expect(screen.text().match(/PENDING|PAID/g)).toEqual(['PENDING', 'PAID']);
  });

  it.each([
    [40, false, ['Waiting for chg_1 (R$ 10,50), ...']],
    [200, false, ['Waiting for chg_1 (R$ 10,50), now PENDING ...']],
    [40, true, ['Waiting for chg_1 (R$ 10,50), now PENDING ...']],
  ])('is one line on %i columns, unless the terminal is dumb (%s)', async (columns, dumb, shown) => {
    const stderr = new PassThrough();
    const screen = screenOf(stderr);
    const { clock, release } = heldClock();
    const io = { ...memoryIo({ columns }), stderr, stderrIsTerminal: true };
    const text = 'Waiting for chg_1 (R$ 10,50), now PENDING ...';
    const progress = startProgress(io, clock, { quiet: false, text, dumb });
    release();
    await screen.firstDrawing;
    progress.stop();
    expect(screen.text().match(/Waiting.*/g)).toEqual(shown);
  });

  it('fits its line again when the terminal is resized', async () => {
    const stderr = new PassThrough();
    const screen = screenOf(stderr);
    const { clock, release } = heldClock();
    let columns = 200;
    const io = { ...memoryIo(), stderr, stderrIsTerminal: true, size: () => ({ columns, rows: 24 }) };
    const progress = startProgress(io, clock, { quiet: false, text: 'Waiting for chg_1, now PENDING ...' });
    release();
    await screen.firstDrawing;
    columns = 20;
    stderr.emit('resize');
    progress.stop();
    stderr.emit('resize');
    expect(screen.text().match(/Waiting.*/g)).toEqual([
      'Waiting for chg_1, now PENDING ...',
      'Waiting for ...',
    ]);
  });

  it('is not shown for what is done before', async () => {
    const stderr = new PassThrough();
    const screen = screenOf(stderr);
    const { clock, release } = heldClock();
    const progress = startProgress({ ...memoryIo(), stderr, stderrIsTerminal: true }, clock, {
      quiet: false,
      text: 'x',
    });
    progress.stop();
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(screen.text()).toBe('');
  });

  it.each([
    ['without a terminal', { stderrIsTerminal: false }, false],
    ['with --quiet', { stderrIsTerminal: true }, true],
  ])('is silent %s', async (_title, terminals, quiet) => {
    const { clock } = heldClock();
    let waits = 0;
    const sleep = async () => void waits++;
    const stderr = new PassThrough();
    const screen = screenOf(stderr);
    const io = { ...memoryIo(), stderr, ...terminals };
    const silent = startProgress(io, { ...clock, sleep }, { quiet, text: 'x' });
    silent.update('y');
    await new Promise((resolve) => setImmediate(resolve));
    silent.stop();
    expect([waits, screen.text()]).toEqual([0, '']);
  });
});

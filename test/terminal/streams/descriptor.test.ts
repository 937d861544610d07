/** Writing without a stream: only where it cannot wait for anybody, and nothing is lost on the way to one. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Descriptor, openDescriptor } from '../../../src/terminal/streams/descriptor.ts';

const directory = mkdtempSync(join(tmpdir(), 'pixctl-descriptor-'));

describe('a file', () => {
  it('takes everything, in order', () => {
    const path = join(directory, 'out');
    const fd = openSync(path, 'w');
    const file = opened(fd);
    expect(file.write('é'.repeat(5000))).toBe(null);
    expect(file.write(Buffer.from('end'))).toBe(null);
    closeSync(fd);
    expect(readFileSync(path, 'utf8')).toBe(`${'é'.repeat(5000)}end`);
  });

  it('takes a long text whole, whatever letter lies between two of its pieces', () => {
    const path = join(directory, 'long');
    for (const shift of ['', 'a', 'ab', 'abc']) {
      const text = `${shift}${'é😀\ud800x'.repeat(50_000)}`;
      const fd = openSync(path, 'w');
      expect(opened(fd).write(text)).toBe(null);
      closeSync(fd);
      expect(readFileSync(path).equals(Buffer.from(text))).toBe(true);
    }
  });
});

describe.skipIf(!existsSync('/dev/null'))('a device', () => {
  it('is written directly when it is the null device', () => {
    const fd = openSync('/dev/null', 'w');
    expect(opened(fd).write('x'.repeat(100_000))).toBe(null);
    closeSync(fd);
  });

  it.skipIf(!existsSync('/dev/ptmx'))('is left to a stream when it is a terminal', () => {
    const fd = openSync('/dev/ptmx', 'r+');
    expect(openDescriptor(fd)).toBe(null);
    closeSync(fd);
  });
});

it('a descriptor that is not open is left to a stream', () => {
  const fd = openSync(join(directory, 'closed'), 'w');
  closeSync(fd);
  expect(openDescriptor(fd)).toBe(null);
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  it('takes 4096 bytes in all; from the first that does not fit, everything is left to the stream', () => {
    const { fd, close } = pipe('budget');
    const it = opened(fd);
    expect(it.write('a'.repeat(4000))).toBe(null);
    expect(it.write('b'.repeat(97))).toEqual(Buffer.from('b'.repeat(97)));
    expect(it.write('c')).toEqual(Buffer.from('c'));
    expect(readAll(fd)).toBe('a'.repeat(4000));
    close();
  });

  it('that is full, and does not wait, leaves the bytes to the stream', () => {
    const { fd, close } = pipe('full');
    const block = Buffer.alloc(65_536, '.');
    for (let taken = block.length; taken > 0; ) taken = tryWrite(fd, block);
    for (let taken = 1; taken > 0; ) taken = tryWrite(fd, block.subarray(0, 1));
    expect(opened(fd).write('late')).toEqual(Buffer.from('late'));
    expect(readAll(fd)).toMatch(/^\.+$/);
    close();
  });

  it('whose reader has gone says so', () => {
    const path = fifo('gone');
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY);
    closeSync(reader);
    expect(() => opened(writer).write('x')).toThrow('EPIPE');
    closeSync(writer);
  });
});

function opened(fd: number): Descriptor {
  const descriptor = openDescriptor(fd);
  if (descriptor === null) throw new Error('it was left to a stream');
  return descriptor;
}

/** Both ends of a pipe in one descriptor that never waits. */
function pipe(name: string): { fd: number; close(): void } {
  const fd = openSync(fifo(name), constants.O_RDWR | constants.O_NONBLOCK);
  return { fd, close: () => closeSync(fd) };
}

function fifo(name: string): string {
  const path = join(directory, name);
  execFileSync('mkfifo', [path]);
  return path;
}

/** Bytes taken; 0 when the pipe is full. */
function tryWrite(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('EAGAIN');
    return 0;
  }
}

function readAll(fd: number): string {
  const buffer = Buffer.alloc(1_048_576);
  return buffer.toString('utf8', 0, readSync(fd, buffer));
}

import { expect, it } from 'vitest';
import { createByteBuffer } from '../../src/plain/byte-buffer.ts';

it('copies each piece, and gives back all of them', () => {
  const buffer = createByteBuffer(1_000);
  for (const byte of Buffer.from('every byte')) {
    const piece = Uint8Array.of(byte);
    buffer.add(piece);
    piece.fill(0);
  }
  expect(buffer.all().toString()).toBe('every byte');
});

it('is empty where nothing came', () => {
  expect(createByteBuffer(10).all().byteLength).toBe(0);
});

it('takes at most twice the memory of what came, and never more than the most that may come', () => {
  const buffer = createByteBuffer(1_000);
  buffer.add(new Uint8Array(300));
  expect(buffer.sizeWith(0)).toBe(300);
  expect(buffer.sizeWith(1)).toBe(600);
  expect(buffer.sizeWith(400)).toBe(700);
  buffer.add(new Uint8Array(301));
  expect(buffer.sizeWith(0)).toBe(601);
  expect(buffer.sizeWith(1)).toBe(1_000);
  expect(buffer.all().byteLength).toBe(601);
});

it('takes memory for what is said to come at once, within the most, and more if more comes', () => {
  const buffer = createByteBuffer(1_000, 400);
  expect(buffer.sizeWith(1)).toBe(400);
  buffer.add(new Uint8Array(300).fill(1));
  buffer.add(new Uint8Array(300).fill(2));
  expect(buffer.sizeWith(0)).toBe(800);
  expect([...buffer.all()]).toEqual([...new Array(300).fill(1), ...new Array(300).fill(2)]);
  expect(createByteBuffer(1_000, 1e15).sizeWith(1)).toBe(1_000);
  expect(createByteBuffer(1_000, -5).sizeWith(1)).toBe(1);
});

it('gives back its own memory where nearly all of it is used, and a copy where more would be held for nothing', () => {
  const nearly = createByteBuffer(10_000, 1_000);
  nearly.add(new Uint8Array(900).fill(7));
  expect(nearly.all().buffer.byteLength).toBe(1_000);
  expect([...nearly.all()]).toEqual(new Array(900).fill(7));
  const half = createByteBuffer(10_000, 1_000);
  half.add(new Uint8Array(500).fill(8));
  expect([...half.all()]).toEqual(new Array(500).fill(8));
  half.add(new Uint8Array(1).fill(9));
  expect(half.all().byteLength).toBe(501);
});

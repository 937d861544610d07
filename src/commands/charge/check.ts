/**
 * Checks a charge before a person sees its QR code, because a forged code pays a stranger. The three things that a
 * payer may read (the text, the picture, the amount inside) must agree with one another.
 */
import { judgeBrCode } from '../../contract/brcode/judge.ts';
import { type Charge, imagePrefix } from '../../contract/charge.ts';
import { formatCents } from '../../contract/money.ts';

/** Returns what is wrong, in words; empty if all agrees. `expected`: the requested amount, in cents. */
export async function checkCharge(charge: Charge, expected: number = charge.amount): Promise<string[]> {
  return [...checkAmount(charge, expected), ...checkCode(charge, expected), ...(await checkPicture(charge))];
}

const checkAmount = ({ amount }: Charge, expected: number): string[] =>
  amount === expected
    ? []
    : [`the charge is for ${formatCents(amount)}, but ${formatCents(expected)} was asked for`];

/** Checks only what a payer's bank would refuse or pay wrongly. Oddities are for `pixctl brcode decode`. */
function checkCode({ brCode }: Charge, expected: number): string[] {
  if (typeof brCode !== 'string') return ['the service shows no copy-and-paste code of it'];
  const { findings, code } = judgeBrCode(brCode);
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ text }) => text);
  if (code.amount !== null && code.amount !== expected) {
    errors.push(
      `the copy-and-paste code is for ${formatCents(code.amount)}, not for ${formatCents(expected)}`,
    );
  }
  return errors;
}

async function checkPicture({ imageBase64, brCode }: Charge): Promise<string[]> {
  if (typeof imageBase64 !== 'string') return ['the service shows no picture of it'];
  const bytes = pngBytes(imageBase64);
  if (bytes === null) return ['the picture is not a PNG'];
  const { readQrPng } = await import('../../qr/read-png.ts');
  const read = readQrPng(bytes);
  if (!read.ok) return [`the picture cannot be scanned: ${read.reason}`];
  return read.text === brCode
    ? []
    : ['the QR code in the picture is not the same as the copy-and-paste code'];
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Returns the bytes of a charge's picture, from a data URI (document: "Charge", `imageBase64`) or bare base64; null if
 * it is not a PNG.
 */
export function pngBytes(imageBase64: string): Uint8Array | null {
  const bytes = Buffer.from(imageBase64.replace(imagePrefix, ''), 'base64');
  return bytes.subarray(0, pngSignature.length).equals(pngSignature) ? bytes : null;
}

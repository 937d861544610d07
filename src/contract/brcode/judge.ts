/**
 * Judges a BR Code strictly: structure, CRC, order, required fields, lengths. Everything wrong is said in words;
 * `error` means that a payer's bank may refuse it or pay something else, `warning` that it is odd.
 */
import type { Cents } from '../brand.ts';
import { judgeAccount } from './account.ts';
import { readAmount } from './amount.ts';
import { brCodeLimits } from './build.ts';
import { crc16 } from './crc.ts';
import { type Field, fieldName, splitFields } from './fields.ts';
import { error, type Finding, warning } from './finding.ts';

/** What a BR Code says, as far as it could be read; null where it says nothing. */
export interface BrCode {
  readonly kind: 'static' | 'dynamic' | null;
  readonly key: string | null;
  /** Payment location without its scheme. */
  readonly url: string | null;
  readonly amount: Cents | null;
  /** Null for the marker `***`. */
  readonly txid: string | null;
  readonly name: string | null;
  readonly city: string | null;
  readonly description: string | null;
}

export interface Judgement {
  /** True when no finding is an error. */
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  readonly code: BrCode;
}

/** Judges the text as it is, so trim first what a person pasted. Never throws. */
export function judgeBrCode(text: string): Judgement {
  const split = splitFields(text);
  const value = (id: string): string | null => split.fields.find((field) => field.id === id)?.value ?? null;
  const account = judgeAccount(split.fields);
  const amount = readAmount(value('54'), account);
  const findings = [
    ...judgeText(text),
    ...(split.ok ? [] : [error(null, split.problem)]),
    ...(split.ok ? judgeOrder(split.fields) : []),
    ...judgeCrc(text, split.fields),
    ...judgeFixed(value),
    ...account.findings,
    ...amount.findings,
    ...judgeLength('59', value('59'), brCodeLimits.name),
    ...judgeLength('60', value('60'), brCodeLimits.city),
    ...judgeTxid(value('62'), account.url !== null),
  ];
  return {
    valid: findings.every(({ severity }) => severity !== 'error'),
    findings,
    code: {
      kind: account.url !== null || value('01') === '12' ? 'dynamic' : account.key === null ? null : 'static',
      key: account.key,
      url: account.url,
      amount: amount.cents,
      txid: txidOf(value('62')),
      name: value('59'),
      city: value('60'),
      description: account.description,
    },
  };
}

function judgeText(text: string): Finding[] {
  if (text === '') return [error(null, 'the code is empty')];
  if (text.length > 512) return [error(null, `the code has ${text.length} characters; 512 is the maximum`)];
  const odd = /[^\x20-\x7e]/.exec(text);
  return odd ? [error(null, `character ${odd.index + 1} is outside printable ASCII`)] : [];
}

function judgeOrder(fields: readonly Field[]): Finding[] {
  const ids = fields.map(({ id }) => id);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  const ascending = ids.every((id, index) => index === 0 || id >= (ids[index - 1] ?? ''));
  return [
    ...(ids[0] === '00' ? [] : [error('00', 'field 00 (payload format) must come first')]),
    ...(ids.at(-1) === '63' ? [] : [error('63', 'field 63 (CRC) must come last')]),
    ...twice.map((id) => error(id, `field ${id} (${fieldName(id)}) occurs more than once`)),
    ...(ascending || twice.length > 0 ? [] : [warning(null, 'the fields are not in ascending order')]),
  ];
}

function judgeCrc(text: string, fields: readonly Field[]): Finding[] {
  const field = fields.find(({ id }) => id === '63');
  if (field === undefined) return [error('63', 'the CRC (field 63) is missing: the code may be cut off')];
  if (!/^[0-9A-F]{4}$/i.test(field.value)) return [error('63', 'the CRC is not four hexadecimal digits')];
  const expected = crc16(text.slice(0, field.offset + 4));
  if (field.value.toUpperCase() !== expected)
    return [
      error('63', `the CRC is ${field.value}, but this text gives ${expected}: it was altered or mistyped`),
    ];
  return field.value === expected ? [] : [warning('63', 'the CRC is in lower case')];
}

function judgeFixed(value: (id: string) => string | null): Finding[] {
  const must = (id: string, form: RegExp, said: string): Finding[] => {
    const found = value(id);
    if (found === null) return [error(id, `field ${id} (${fieldName(id)}) is missing`)];
    return form.test(found) ? [] : [error(id, `field ${id} (${fieldName(id)}) must be ${said}`)];
  };
  const initiation = value('01');
  return [
    ...must('00', /^01$/, '01'),
    ...(initiation === null || /^1[12]$/.test(initiation) ? [] : [error('01', 'field 01 must be 11 or 12')]),
    ...must('52', /^\d{4}$/, 'four digits'),
    ...must('53', /^986$/, '986 (Brazilian real)'),
    ...must('58', /^BR$/, 'BR'),
  ];
}

function judgeLength(id: string, value: string | null, max: number): Finding[] {
  if (value === null || value.trim() === '') return [error(id, `field ${id} (${fieldName(id)}) is missing`)];
  if (value.length <= max) return [];
  return [error(id, `field ${id} (${fieldName(id)}) has ${value.length} characters; ${max} is the maximum`)];
}

function judgeTxid(additional: string | null, dynamic: boolean): Finding[] {
  if (additional === null)
    return [warning('62', 'field 62 (additional data) is missing; it should carry the txid')];
  const inner = splitFields(additional);
  if (!inner.ok) return [error('62', `inside field 62, ${inner.problem}`)];
  const txid = inner.fields.find(({ id }) => id === '05')?.value;
  if (txid === undefined) return [warning('62-05', 'there is no txid in field 62')];
  if (dynamic && txid !== '***')
    return [warning('62-05', 'the txid of a dynamic code is behind its URL; *** belongs here')];
  if (dynamic || /^(?:\*{3}|[A-Za-z0-9]{1,25})$/.test(txid)) return [];
  return [error('62-05', 'the txid must be *** or 1 to 25 letters and digits')];
}

function txidOf(additional: string | null): string | null {
  const txid = splitFields(additional ?? '').fields.find(({ id }) => id === '05')?.value;
  return txid === undefined || txid === '***' ? null : txid;
}

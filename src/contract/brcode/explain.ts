/** A BR Code field by field, with names and what the value means. */
import { formatCents } from '../money.ts';
import { readAmount } from './amount.ts';
import { fieldName, isTemplate, splitFields } from './fields.ts';

export interface ExplainedField {
  /** `54`, `26-01`. */
  readonly field: string;
  readonly name: string;
  readonly value: string;
  /** What the value means, in words; empty where it speaks for itself. */
  readonly meaning: string;
}

/** The fields in the order they stand, those inside templates after their template. Never throws. */
export const explainBrCode = (text: string): ExplainedField[] => explain(text, undefined);

const explain = (text: string, parent: string | undefined): ExplainedField[] =>
  splitFields(text).fields.flatMap(({ id, value }) => {
    const field = parent === undefined ? id : `${parent}-${id}`;
    const line = { field, name: fieldName(id, parent), value, meaning: meaning(field, value) };
    return parent === undefined && isTemplate(id) ? [line, ...explain(value, id)] : [line];
  });

function meaning(field: string, value: string): string {
  if (field === '54') {
    const { cents } = readAmount(value, { url: '', facilitator: null });
    return cents === null ? '' : formatCents(cents);
  }
  return meanings[`${field}=${value}`] ?? '';
}

const meanings: Record<string, string> = {
  '00=01': 'EMV QR code, version 1',
  '01=11': 'may be paid more than once',
  '01=12': 'may be paid once',
  '52=0000': 'not stated',
  '53=986': 'Brazilian real',
  '58=BR': 'Brazil',
  '62-05=***': 'none given here',
};

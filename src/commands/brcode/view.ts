/** The columns of a BR Code's fields, and of a judgement. */
import type { BrCode, ExplainedField, Finding } from '../../contract/brcode.ts';
import { formatCents } from '../../contract/money.ts';
import type { View } from '../../terminal/view.ts';

export const fieldView: View<ExplainedField> = {
  name: 'field',
  columns: [
    { key: 'field', header: 'Field', value: ({ field }) => field },
    { key: 'name', header: 'Name', value: ({ name }) => name },
    { key: 'value', header: 'Value', value: ({ value }) => value },
    { key: 'meaning', header: 'Meaning', value: ({ meaning }) => meaning },
  ],
};

export interface ShownJudgement extends BrCode {
  readonly valid: boolean;
  readonly findings: readonly Finding[];
}

const findingsText = ({ findings }: ShownJudgement): string =>
  findings.map(({ severity, text }) => `${severity}: ${text}`).join('; ');

export const judgementView: View<ShownJudgement> = {
  name: 'code',
  columns: [
    {
      key: 'valid',
      header: 'Valid',
      value: ({ valid }) => valid,
      text: ({ valid }) => (valid ? 'yes' : 'no'),
    },
    { key: 'kind', header: 'Kind', value: ({ kind }) => kind },
    { key: 'key', header: 'PIX key', value: ({ key }) => key },
    { key: 'url', header: 'Address', value: ({ url }) => url },
    {
      key: 'amount',
      header: 'Amount',
      kind: 'cents',
      value: ({ amount }) => amount,
      text: ({ amount, kind }) =>
        amount === null
          ? kind === 'dynamic'
            ? 'at its address (not read)'
            : 'the payer types it'
          : formatCents(amount),
    },
    { key: 'txid', header: 'Txid', value: ({ txid }) => txid },
    { key: 'name', header: 'Name', value: ({ name }) => name },
    { key: 'city', header: 'City', value: ({ city }) => city },
    { key: 'description', header: 'Description', value: ({ description }) => description },
    {
      key: 'findings',
      header: 'Findings',
      value: findingsText,
      text: (judgement) => findingsText(judgement) || 'none',
    },
  ],
};

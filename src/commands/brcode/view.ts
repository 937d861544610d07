/** The columns of a BR Code's fields, and of a judgement. */
import type { ExplainedField } from '../../contract/brcode/explain.ts';
import type { Finding } from '../../contract/brcode/finding.ts';
import type { BrCode } from '../../contract/brcode/judge.ts';
import { formatCents } from '../../contract/money.ts';
import type { View } from '../../terminal/view.ts';

export const fieldView: View<ExplainedField> = {
  name: 'field',
  columns: [
    { key: 'field', header: 'Field' },
    { key: 'name', header: 'Name' },
    { key: 'value', header: 'Value' },
    { key: 'meaning', header: 'Meaning' },
  ],
};

interface ShownJudgement extends BrCode {
  readonly valid: boolean;
  readonly findings: readonly Finding[];
}

const findingsText = ({ findings }: ShownJudgement): string =>
  findings.map(({ severity, text }) => `${severity}: ${text}`).join('; ');

export const judgementView: View<ShownJudgement> = {
  name: 'code',
  columns: [
    { key: 'valid', header: 'Valid', text: ({ valid }) => (valid ? 'yes' : 'no') },
    { key: 'kind', header: 'Kind' },
    { key: 'key', header: 'PIX key' },
    { key: 'url', header: 'Address' },
    {
      key: 'amount',
      header: 'Amount',
      kind: 'cents',
      text: ({ amount, kind }) =>
        amount === null
          ? kind === 'dynamic'
            ? 'at its address (not read)'
            : 'the payer types it'
          : formatCents(amount),
    },
    { key: 'txid', header: 'Txid' },
    { key: 'name', header: 'Name' },
    { key: 'city', header: 'City' },
    { key: 'description', header: 'Description' },
    {
      key: 'findings',
      header: 'Findings',
      value: findingsText,
      text: (judgement) => findingsText(judgement) || 'none',
    },
  ],
};

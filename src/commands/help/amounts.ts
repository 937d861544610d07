/** `pixctl help amounts`: explains how contract/money.ts reads them. */
export const amountsText = (): string =>
  [
    'An amount is read in one of these ways, and never guessed:',
    '',
    '  1050                   a whole number is cents, as in the API: R$ 10,50',
    '  10,50  10.50           exactly two decimals after , or . is reais',
    "  'R$ 10,50'  1.050,00   a currency sign and thousands are fine",
    '',
    'PowerShell reads a comma without quotes as a list: write "10,50" there, or 10.50.',
    '',
    'Anything that could mean two amounts, like 10,5 or 1.050, is refused, and both readings are shown. A command that moves money shows the amount as R$ 10,50 before it acts; with --dry-run it only shows it.',
    '',
    "Bounds: a charge R$ 1,00 to R$ 1.000.000,00 and within the merchant's own; a withdrawal R$ 0,50 to R$ 1.000.000,00. In json, ndjson and csv an amount is whole cents; csv with --csv-locale pt-BR is 10,50.",
  ].join('\n');

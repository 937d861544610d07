/** The topics of `pixctl help` that are only text. The single executable has no docs/. */

/** `pixctl help output`: formats, fields and what a script reads. */
export const outputText = (): string =>
  [
    'stdout is data, stderr is everything else. -o chooses the format:',
    '',
    '  table   the default, for people; in a pipe a header and tab-separated values, without colour',
    "  json    the service's own field names, one value; a list is one array. --json is the same",
    '  ndjson  the same, one item per line, written as pages arrive',
    '  csv     with a header; --csv-locale pt-BR as a Brazilian spreadsheet reads it',
    '',
    'The format never changes by itself: a script names it. --fields id,status chooses columns and their order in each of them; the --help of a command names its fields. Except on a terminal and with --csv-locale pt-BR, amounts are whole cents and times ISO 8601 in UTC.',
    '',
    '--jq <expression> filters json with jq, which is built in: nothing has to be installed. It implies -o json, where a list is one array; with -o ndjson it sees each item as it arrives. Text is printed as it is, other values as JSON on a line each. A wrong expression is refused before anything is sent (64), one that fails on what was only read ends with 65; once something was sent, the code tells about that alone, and the whole value is on stderr.',
    '',
    '  pixctl charge get chg_1 --jq .status',
    '  pixctl charge list --all -o ndjson --jq \'select(.status == "PAID")\'',
    '  pixctl charge list --fields id,amount | cut -f2',
    '',
    'The exit code says whether it worked (pixctl help exit-codes). With json and ndjson the last line on stderr is then {"error":{"code","message","hint","httpStatus","serviceCode","exitCode"}}, whose exitCode tells whether anything may have happened; --quiet leaves out hints and progress before it. In a pipeline, bash gives the code of pixctl only after set -o pipefail.',
  ].join('\n');

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

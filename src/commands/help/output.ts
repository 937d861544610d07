/** `pixctl help output`: formats, fields and what a script reads. The single executable has no docs/. */
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

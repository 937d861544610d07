/** What each part of the measurement takes and gives. */

export interface BenchOptions {
  /** Counted runs of each command. */
  readonly rounds: number;
  /** Fetch comparable programs from npm into a temporary folder. */
  readonly peers: boolean;
}

/** One line of the result: a figure, its target, and what it was measured against. */
export interface Row {
  readonly part: string;
  readonly name: string;
  /** Usually a ratio; `unit` says if it is something else. */
  readonly value: number;
  readonly unit: '' | 'ms' | 'MiB' | '/s' | 's';
  /** For orientation on this machine only: milliseconds, rates. */
  readonly detail?: string;
  readonly most?: number;
  readonly least?: number;
}

export const isMet = ({ value, most, least }: Row): boolean | null => {
  if (most === undefined && least === undefined) return null;
  return (most === undefined || value <= most) && (least === undefined || value >= least);
};

/** Returns the rows as a Markdown table, in the form of docs/performance.md. */
export function asTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.part,
    row.name,
    `${figure(row.value)}${row.unit === '' ? '' : ` ${row.unit}`}`,
    formatTarget(row),
    row.detail ?? '',
  ]);
  const all = [['part', 'what', 'measured', 'asked', 'for orientation'], ...cells];
  const widths = all[0]?.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head = [], ...body] = all;
  return `${[line(head), rule, ...body.map(line)].join('\n')}\n`;
}

const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);

function formatTarget(row: Row): string {
  const met = isMet(row);
  if (met === null) return '';
  const bound = row.most === undefined ? `at least ${figure(row.least ?? 0)}` : `at most ${figure(row.most)}`;
  return met ? bound : `${bound}: NOT MET`;
}

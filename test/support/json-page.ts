/** The examples of docs/json.md, and whether what a command prints has the shape of its example. */

export interface Example {
  /** As it is printed, without `-o json`. */
  readonly line: string;
  readonly shown: unknown;
}

/** Each command of the page with the JSON below it. */
export const examplesOf = (page: string): Example[] =>
  [...page.matchAll(/```sh\n(pixctl .*)\n```\n\n```json\n([\s\S]*?)```/g)].map(
    ([, line = '', json = '']) => ({
      line,
      shown: JSON.parse(json),
    }),
  );

/** The words of a command line with double quotes at most. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? String(word));

/** Ids on the page, such as `chg_1`, and what they are in this run. */
export type Names = Map<string, string>;

/**
 * Where the value has another shape than the example: a field more or less, or another type. Words in capitals, truth
 * values and ids have to be the same. Each item of a list has to be like one of the items shown.
 */
export function findDifferences(shown: unknown, actual: unknown, names: Names, at = '$'): string[] {
  if (Array.isArray(shown) && Array.isArray(actual)) {
    if (shown.length > 0 && actual.length === 0) return [`${at}: is empty`];
    return actual.flatMap((item, index) => {
      const tried = shown.map((each) => findDifferences(each, item, new Map(names), `${at}[${index}]`));
      const fits = tried.findIndex((found) => found.length === 0);
      if (fits >= 0) return findDifferences(shown[fits], item, names, at);
      return tried.sort((a, b) => a.length - b.length)[0] ?? [`${at}[${index}]: the example is empty`];
    });
  }
  if (isRecord(shown) && isRecord(actual)) {
    const keys = new Set([...Object.keys(shown), ...Object.keys(actual)]);
    return [...keys].flatMap((key) => {
      if (!(key in actual)) return [`${at}.${key}: is not there`];
      if (!(key in shown)) return [`${at}.${key}: is not in the example (${JSON.stringify(actual[key])})`];
      return findDifferences(shown[key], actual[key], names, `${at}.${key}`);
    });
  }
  if (isSame(shown, actual, names)) return [];
  return [`${at}: ${JSON.stringify(actual)?.slice(0, 200)}, in the example ${JSON.stringify(shown)}`];
}

function isSame(shown: unknown, actual: unknown, names: Names): boolean {
  if (typeof shown !== typeof actual || (shown === null) !== (actual === null)) return false;
  if (Array.isArray(shown) !== Array.isArray(actual) || isRecord(shown) !== isRecord(actual)) return false;
  if (typeof shown === 'boolean') return shown === actual;
  if (typeof shown !== 'string') return true;
  if (/^[A-Z][A-Z_]+$/.test(shown)) return shown === actual;
  if (!/^[a-z]+_\d$/.test(shown)) return true;
  if (!names.has(shown)) names.set(shown, String(actual));
  return names.get(shown) === actual;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

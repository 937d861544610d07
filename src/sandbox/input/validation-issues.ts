/** Puts what a schema objects to into words that name the field and the problem. */

/** The parts of a zod issue that the words need. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly values?: readonly unknown[];
  /** The possible values of the field that distinguishes one form from another. */
  readonly options?: readonly unknown[];
  readonly message?: string;
}

/** Returns one part of a sentence for each issue, `field: problem`. `root` names the whole if that is wrong itself. */
export const describeIssues = (issues: readonly Issue[], value: unknown, root: 'body' | 'query'): string =>
  issues
    .filter((issue, at) => !issues.slice(0, at).some((earlier) => isWrongType(earlier, issue.path)))
    .filter((issue) => !issues.some((other) => isNarrower(other, issue)))
    .slice(0, 8)
    .map((issue) => describe(issue, value, root))
    .join('; ');

/**
 * Whether an earlier issue says that the type is wrong: zod still goes on to measure the length, say of text instead of
 * a list.
 */
const isWrongType = (issue: Issue, path: Issue['path']): boolean =>
  issue.code === 'invalid_type' && issue.path.join('.') === path.join('.');

/**
 * Whether it is the field's own bound: a number too large to count exceeds that as well, and that is the one to report.
 */
const isNarrower = (issue: Issue, than: Issue): boolean =>
  than.origin === 'int' &&
  issue.origin !== 'int' &&
  issue.code === than.code &&
  issue.path.join('.') === than.path.join('.');

export const isUnknownProperty = (issue: Issue): boolean =>
  issue.code === 'unrecognized_keys' && issue.path.length === 0;

export const isAmountBound = (issue: Issue): boolean =>
  issue.path[0] === 'amount' && (issue.code === 'too_small' || issue.code === 'too_big');

function describe(issue: Issue, value: unknown, root: 'body' | 'query'): string {
  if (issue.code === 'unrecognized_keys') {
    const what = root === 'body' ? 'is not an allowed property' : 'is not a known query parameter';
    return (issue.keys ?? []).map((key) => `${shorten(key)}: ${what}`).join('; ');
  }
  const field = issue.path.length === 0 ? root : issue.path.join('.');
  const missing = issue.path.length > 0 && lookUp(value, issue.path) === undefined;
  return `${field}: ${missing ? 'is required' : problem(issue)}`;
}

function problem(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nouns[issue.expected ?? ''] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values ?? [])}`;
    case 'invalid_union':
      return issue.options === undefined ? 'is invalid' : `must be ${oneOf(issue.options)}`;
    case 'too_small':
      return `must ${size(issue, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${size(issue, 'at most', issue.maximum)}`;
    default:
      return issue.message ?? 'is invalid';
  }
}

const oneOf = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' or ');

function size(issue: Issue, bound: string, limit: number | bigint | undefined): string {
  if (issue.origin === 'string') return limit === 1 ? 'not be empty' : `have ${bound} ${limit} characters`;
  if (issue.origin === 'array') return `have ${bound} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  return `be ${bound} ${limit}`;
}

const nouns: Readonly<Record<string, string>> = {
  int: 'an integer',
  // Every number in the contract is whole.
  number: 'an integer',
  string: 'a string',
  array: 'an array',
  boolean: 'true or false',
  object: 'a JSON object',
  record: 'a JSON object',
};

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}...` : text);

const lookUp = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as never)[key] : undefined),
    value,
  );

/** The PIX template (fields 26 to 51) of a BR Code: a key, or the URL of a payment location. */
import { formats } from '../pix-key-format.ts';
import { isLocation, pixDomain } from './build.ts';
import { type Field, splitFields } from './fields.ts';
import { error, type Finding, warning } from './finding.ts';

export interface Account {
  readonly key: string | null;
  readonly url: string | null;
  readonly description: string | null;
  /** The ISPB of a withdrawal facilitator: such a code may state no amount or zero. */
  readonly facilitator: string | null;
  readonly findings: readonly Finding[];
}

/** Finds the template with the PIX domain and judges what it holds. */
export function judgeAccount(fields: readonly Field[]): Account {
  const templates = fields
    .filter(({ id }) => id >= '26' && id <= '51')
    .map(({ id, value }) => ({ id, inner: splitFields(value) }));
  const broken = templates.flatMap(({ id, inner }) =>
    inner.ok ? [] : [error(id, `inside field ${id}, ${inner.problem}`)],
  );
  const pix = templates.filter(({ inner }) =>
    inner.fields.some(({ id, value }) => id === '00' && value.toLowerCase() === pixDomain),
  );
  const [first] = pix;
  if (first === undefined)
    return {
      ...nothing,
      findings: [
        ...broken,
        error('26', `no merchant account has the domain ${pixDomain}: this is not a PIX code`),
      ],
    };
  const value = (id: string): string | null =>
    first.inner.fields.find((field) => field.id === id)?.value ?? null;
  const account = { key: value('01'), url: value('25'), description: value('02'), facilitator: value('03') };
  return {
    ...account,
    findings: [
      ...broken,
      ...(pix.length > 1 ? [error(pix[1]?.id ?? null, 'more than one field carries a PIX account')] : []),
      ...(first.inner.fields[0]?.id === '00'
        ? []
        : [warning(first.id, `${first.id}-00 (domain) should come first in its template`)]),
      ...twice(first.id, first.inner.fields),
      ...judgeReceiver(first.id, account),
    ],
  };
}

const nothing = { key: null, url: null, description: null, facilitator: null };

const twice = (parent: string, fields: readonly Field[]): Finding[] =>
  fields
    .filter(({ id }, index) => fields.findIndex((other) => other.id === id) !== index)
    .map(({ id }) => error(`${parent}-${id}`, `field ${parent}-${id} occurs more than once`));

function judgeReceiver(id: string, { key, url, facilitator }: Omit<Account, 'findings'>): Finding[] {
  if (key !== null && url !== null)
    return [error(id, 'the code carries a PIX key and a URL; a bank may follow either')];
  if (key === null && url === null) return [error(id, 'the code carries neither a PIX key nor a URL')];
  if (facilitator !== null && (url !== null || !/^\d{8}$/.test(facilitator)))
    return [
      error(`${id}-03`, 'a withdrawal facilitator is an ISPB of 8 digits, and belongs to static codes'),
    ];
  if (url !== null) return judgeLocation(`${id}-25`, url);
  return isKey(key ?? '') ? [] : [warning(`${id}-01`, 'this is none of the five kinds of PIX key')];
}

function judgeLocation(field: string, url: string): Finding[] {
  if (/^[a-z]+:\/\//i.test(url))
    return [error(field, 'the URL must be written without its scheme (https://)')];
  return isLocation(url) ? [] : [error(field, 'the URL is not of the form host/path')];
}

const isKey = (key: string): boolean =>
  Object.values(formats).some((format) => format.test(key)) || /^[A-Z0-9]{12}\d{2}$/.test(key);

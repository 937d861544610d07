/**
 * Recognises an id of another kind of record than was asked for, by its form (document: "Resources and their fields").
 */

const forms = [
  ['chg_', "a charge's", 'pixctl charge get'],
  ['cust_', "a customer's", 'pixctl customer get'],
  ['evt_', "an event's", 'pixctl webhook show'],
] as const;

/** The form of the ids that a path accepts; null if the document does not show it. */
const taken: Readonly<Record<string, string | null>> = {
  '/transparents/check': 'chg_',
  '/transparents/refund': 'chg_',
  '/customers/{id}': 'cust_',
  '/withdrawals/{id}': null,
};

/** What kind of id it is that `path` did not find, and the command for it; null if its form says nothing. */
export function wrongIdHint(path: string, asSent = ''): string | null {
  const [, id = ''] = /[=/](\w+)$/.exec(asSent) ?? [];
  const [form, whose, command] = forms.find(([begin]) => id.startsWith(begin)) ?? [];
  if (form === undefined || !Object.hasOwn(taken, path) || taken[path] === form) return null;
  return `${id} has the form of ${whose} id: ${command} ${id}`;
}

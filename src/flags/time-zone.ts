/** Time zones by their IANA names (`America/Sao_Paulo`). */

/** Of what is written for Brazil, wherever it is written. */
export const brazilianZone = 'America/Sao_Paulo';

/** Whether the machine knows a time zone by that name. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

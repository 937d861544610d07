/** Whether the machine knows a time zone by that name (IANA: `America/Sao_Paulo`). */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

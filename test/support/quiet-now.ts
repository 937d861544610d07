/** Hours in which it is now, in São Paulo, and will still be at the end of the test. */
export function quietNow(): string {
  const hour = Number(
    new Date().toLocaleTimeString('en-GB', { timeZone: 'America/Sao_Paulo', hour: '2-digit' }),
  );
  const hours = [hour + 23, hour + 2].map((each) => `${String(each % 24).padStart(2, '0')}:00`);
  return hours.join('-');
}

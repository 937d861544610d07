/** What the moments of a command line are relative to: the present time, and the time zone in which times are shown. */
import { configError } from '../errors.ts';
import { dependsOnTimeZone, type PeriodFlags, type TimeReference } from '../flags/moment.ts';
import { brazilianZone, isTimeZone, isTimeZoneInEffect, zoneRemedy } from '../flags/time-zone.ts';
import type { Runtime } from '../runtime.ts';

/**
 * Reads the settings only if a moment depends on them. Broken settings are an error (78): a guess could shift a day.
 */
export async function timeReferenceOf(
  runtime: Runtime,
  { since, until }: PeriodFlags,
): Promise<TimeReference> {
  const isNeeded = [since, until].some((moment) => moment !== undefined && dependsOnTimeZone(moment));
  return { now: runtime.clock.now(), zone: isNeeded ? await shownZone(runtime) : null };
}

/** With csv for Brazil, the zone of its rows; otherwise that of tables, also in a pipe: TZ, setting, system. */
async function shownZone({ globals, environment, config, clock }: Runtime): Promise<string | null> {
  if (globals.csvLocale === 'pt-BR') return brazilianZone;
  const { TZ } = environment;
  if (TZ) {
    if (isTimeZoneInEffect(TZ, clock.now())) return null;
    throw configError(
      'BAD_TIME_ZONE',
      `TZ is ${JSON.stringify(TZ)}, which is not a time zone known here: days cannot be read. Nothing was sent.`,
      zoneRemedy,
    );
  }
  const set = (await config()).get('timeZone');
  if (set === undefined || set === null) return null;
  if (typeof set === 'string' && isTimeZone(set)) return set;
  throw configError(
    'BAD_TIME_ZONE',
    `The setting timeZone is ${JSON.stringify(set)}, which is not a time zone: days cannot be read. Nothing was sent.`,
    'Set another: pixctl config set timeZone America/Sao_Paulo',
  );
}

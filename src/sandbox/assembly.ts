/** Puts one sandbox together, without its socket: the world, what makes it go, and its first merchant. */
import { type Clock, systemClock } from '../clock.ts';
import { usageError } from '../errors.ts';
import { type Machinery, startMachinery } from './machinery.ts';
import { refundCompletionJob } from './rules/charge-records.ts';
import { addKey, assertNoKeyFromSeed, newKey } from './rules/keys.ts';
import { addMerchant, defaultMerchant, listMerchants, type MerchantChanges } from './rules/merchants.ts';
import { refundCompletionHandler } from './rules/refunds.ts';
import { resumeWithdrawals, withdrawalStepHandler, withdrawalStepJob } from './rules/withdrawal-steps.ts';
import { diagnoseError } from './store/diagnose-error.ts';
import { forgetRecords } from './store/forget-records.ts';
import { getOrCreateMeta } from './store/get-or-create-meta.ts';
import { translateStartError } from './store/state-errors.ts';
import { openStore, type Store } from './store/store.ts';
import { isStorageFailure } from './store/store-failures.ts';
import { createRequestLog, type RequestLog } from './wire/request-log.ts';
import { randomBytes } from './world/randomness.ts';
import { defaultSettings, type Settings } from './world/settings.ts';
import { clockKey, openStoredClock } from './world/stored-clock.ts';
import { createWorld, type World } from './world/world.ts';

export interface Assembly extends Machinery {
  readonly log: RequestLog;
  /** The first merchant, which the control plane means when no other is named. */
  readonly merchantId: string;
  /** The first merchant's key. It stays the same through a reset, a restore and, unless it was revoked, a restart. */
  readonly apiKey: string;
  /** Authorises what drives the world. It stays the same through a restart. */
  readonly controlToken: string;
  /** Told about unexpected errors. */
  readonly report: (error: unknown) => void;
  /** How often the world was replaced, by a reset or a restore. */
  readonly era: number;
  /** Puts everything back as at the start, except for the clock, which never goes back. */
  reset(): Promise<void>;
}

interface AssemblyOptions {
  readonly state: string | null;
  readonly settings: Partial<Settings>;
  /** Settings of the first merchant, used when there is none yet. */
  readonly merchant: MerchantChanges;
  /** The first merchant's key, if it was chosen. */
  readonly apiKey?: string | undefined;
  /** Whether keys are drawn at random even with a seed, because strangers may try to guess them. */
  readonly hasSecretKeys?: boolean | undefined;
  /** The machine's clock. */
  readonly machine?: Clock | undefined;
  readonly deliveryTimeoutMs?: number | undefined;
  readonly report: (error: unknown) => void;
}

export function assemble(options: AssemblyOptions): Assembly {
  const store = openStore(options.state);
  try {
    return assembleOn(store, options);
  } catch (error) {
    store.close();
    throw options.state === null ? error : translateStartError(options.state, error);
  }
}

function assembleOn(store: Store, options: AssemblyOptions): Assembly {
  const { machine = systemClock, deliveryTimeoutMs } = options;
  if (options.hasSecretKeys) assertNoKeyFromSeed(store);
  const report = (error: unknown) => options.report(diagnoseError(store, error));
  const clock = openStoredClock(store, () => machine.now());
  const settings = { ...defaultSettings, ...options.settings };
  const world = createWorld({ store, clock, settings, hasSecretKeys: options.hasSecretKeys });
  world.handlers.set(withdrawalStepJob, withdrawalStepHandler);
  world.handlers.set(refundCompletionJob, refundCompletionHandler);
  if (options.apiKey !== undefined) chooseFirstKey(store, options.apiKey);
  const apiKey = firstKey(world);
  const begin = () =>
    store.transaction(() => {
      ensureMerchant(world, apiKey, options.merchant);
      resumeWithdrawals(world);
    });
  begin();
  const controlToken = getOrCreateMeta(store, 'control-token', () => randomBytes(24).toString('base64url'));
  const log = createRequestLog();
  // Last, because a start that fails closes the store, and jobs already running would go on without it.
  const machinery = startMachinery(world, { machine, deliveryTimeoutMs, failed: report });

  let era = 0;
  /**
   * Every change of the clock is stored already. At the end, only how late it was is missing, and a full disk may leave
   * that out.
   */
  const saveClock = () => {
    try {
      store.writeMeta(clockKey, JSON.stringify(clock.save()));
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      report(error);
    }
  };

  return {
    ...machinery,
    log,
    get era() {
      return era;
    },
    get merchantId() {
      return defaultMerchant(world).id;
    },
    apiKey,
    controlToken,
    report,
    restore: (bytes) =>
      machinery.restore(bytes, () => {
        era += 1;
        begin();
      }),
    reset: () =>
      machinery.jobs.pause(() => {
        store.transaction(() => {
          forgetRecords(store);
          begin();
        });
        era += 1;
        machinery.faults.clear();
        log.clear();
      }, machinery.deliveries.abandon),
    async close() {
      try {
        await machinery.close();
        saveClock();
      } finally {
        store.close();
      }
    },
  };
}

/**
 * Has the first merchant use this key. Those that the state has stay valid. Throws `usageError` (64) for one that would
 * not open the first merchant.
 */
function chooseFirstKey(store: Store, key: string): void {
  const known = store.get<{ merchantId: string; revokedAt: number | null }>(
    'SELECT merchant_id AS merchantId, revoked_at AS revokedAt FROM api_keys WHERE key = ?',
    key,
  );
  if (known !== undefined && known.merchantId !== store.readMeta('first-merchant'))
    throw usageError('the chosen API key belongs to another merchant of this state');
  if (known !== undefined && known.revokedAt !== null)
    throw usageError('the chosen API key is revoked in this state');
  store.writeMeta('first-key', key);
}

/** Returns the first merchant's key. Another takes the place of one that was revoked, which would open nothing. */
function firstKey(world: World): string {
  const { store } = world;
  const kept = store.readMeta('first-key');
  const revoked = 'SELECT 1 FROM api_keys WHERE key = ? AND revoked_at IS NOT NULL';
  if (kept !== null && store.get(revoked, kept) === undefined) return kept;
  const key = newKey(world);
  store.writeMeta('first-key', key);
  return key;
}

/** Makes sure that there is a merchant, and that the key that was handed out belongs to one. */
function ensureMerchant(world: World, apiKey: string, changes: MerchantChanges): void {
  const id = getOrCreateMeta(world.store, 'first-merchant', () => world.ids.next('merch'));
  const merchant = listMerchants(world)[0] ?? addMerchant(world, changes, id);
  const known = world.store.get('SELECT 1 FROM api_keys WHERE key = ?', apiKey) !== undefined;
  if (!known) addKey(world, merchant.id, apiKey);
}

/** What must hold of several scopes that are one merchant and one service, judged with the truth of the model. */
import type { Intent, Scope } from '../../../src/ledger/intent.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Outcome } from '../../../src/withdrawal/outcome/outcome.ts';
import type { WithdrawRequest } from '../../../src/withdrawal/request.ts';
import { Violation } from './judge.ts';
import type { Made, ServiceModel } from './service-model.ts';
import type { Process, World } from './world.ts';

export class ScopesJudge {
  readonly counts: Record<string, number> = {};
  readonly heldGone = new Set<number>();
  readonly #world: World;
  readonly #service: ServiceModel;
  readonly #ledger: Ledger;
  readonly #scopes: readonly Scope[];
  readonly #orders: readonly WithdrawRequest[];
  readonly #shownOwn = new Set<string>();

  constructor(
    world: World,
    service: ServiceModel,
    ledger: Ledger,
    { scopes, orders }: { readonly scopes: readonly Scope[]; readonly orders: readonly WithdrawRequest[] },
  ) {
    this.#world = world;
    this.#service = service;
    this.#ledger = ledger;
    this.#scopes = scopes;
    this.#orders = orders;
    for (const name of service.ways.names) this.#count(`way: ${name}`);
  }

  /** A byte has left for `key`: no request of it has made anything that may have moved money. */
  async departed(process: Process, key: string): Promise<void> {
    this.#count('departures');
    const [paid] = this.#paymentsOf(key);
    if (paid !== undefined)
      throw new Violation(`${process.name}: a second byte left for ${key}, which made ${paid.id}`);
  }

  /** What somebody was told of an order, or of whichever key is open (`order` is null). */
  heard(outcome: Outcome, order: WithdrawRequest | null): void {
    const { exit, code, message, intent, candidates = [] } = outcome;
    this.#count(`exit ${exit}`);
    this.#world.log(null, `told ${exit} ${code} ${message}`);
    const key = order?.idempotencyKey ?? intent?.idempotencyKey;
    if (key === undefined || intent === null) return;
    const isShown = ({ id }: Made) => candidates.some((one) => one.id === id) || message.includes(`(${id})`);
    if (exit === 'duplicate' && this.#paymentsOf(key).some(isShown)) this.#shownOwn.add(key);
    if (exit !== 'ok' && exit !== 'endedBadly') return;
    const made = this.#service.made.find(({ id }) => id === intent.resourceId);
    if (made === undefined) throw new Violation(`told ${exit} without a withdrawal (${intent.resourceId})`);
    if (made.truth !== key && !(intent.inferred && this.#hasNoise))
      throw new Violation(`told ${exit} to ${key} with ${made.id} of ${made.truth}`);
    if (intent.inferred) this.#count('adopted or named');
  }

  /** A person was told (86) of a withdrawal that is the key's own: they will not say that it is another one. */
  hasShownOwn(key: string): boolean {
    return this.#shownOwn.has(key);
  }

  /** What the key's own requests have made and what has not failed. */
  ownOf(key: string): Made | undefined {
    return this.#paymentsOf(key)[0];
  }

  async ended(): Promise<void> {
    const intents: Intent[] = [];
    for (const scope of this.#scopes) intents.push(...(await this.#ledger.list(scope)));
    for (const { id, truth } of this.#service.made) {
      const keys = new Set(intents.filter((one) => one.resourceId === id).map((one) => one.idempotencyKey));
      if (keys.size > 1 && !this.#hasNoise)
        throw new Violation(`${id} of ${truth} is the payment of ${[...keys].join(' and ')}`);
    }
    for (const { idempotencyKey } of this.#orders) {
      const paid = this.#paymentsOf(idempotencyKey);
      if (paid.length > 1)
        throw new Violation(`${idempotencyKey} was paid by ${paid.map(({ id }) => id).join(' and ')}`);
      for (const one of paid)
        if (!intents.some((intent) => this.#tracks(intent, one)))
          throw new Violation(`lost track of ${one.id} of ${idempotencyKey}`);
    }
    for (const { state } of intents) this.#count(`ended ${state}`);
  }

  #tracks({ idempotencyKey, resourceId, state, inferred }: Intent, { id, truth }: Made): boolean {
    if (idempotencyKey !== truth) return false;
    if (resourceId === id || state === 'SENDING' || state === 'UNKNOWN') return true;
    if (inferred && this.#hasNoise) return true;
    return state === 'REFUSED' && this.#service.overlooked.has(truth);
  }

  /** One of the dashboard may be taken for a key's, and that key's own for the next: the audit shows it. */
  get #hasNoise(): boolean {
    return this.#service.made.some(({ truth }) => truth === 'dashboard');
  }

  #paymentsOf(key: string): Made[] {
    return this.#service.made.filter(({ truth, status }) => truth === key && status !== 'FAILED');
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

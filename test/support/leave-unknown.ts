/** A withdrawal whose outcome no run knows yet. */
import type { Bench } from './withdrawal-bench.ts';

/**
 * Pays 1050 under the key `k-1`. The answer is lost, `before` or `after` the service has taken the request, and the
 * list cannot be read in that run. Gives back the exit code of that run.
 */
export async function leaveUnknown({ proxy, pay }: Bench, when: 'before' | 'after'): Promise<number | null> {
  const usual = proxy.intercept;
  const before = proxy.posts().length;
  proxy.intercept = ({ method }) => {
    if (method === 'POST') return { kind: 'reset', when };
    return proxy.posts().length === before ? null : { kind: 'status', when: 'before', status: 400 };
  };
  const { code } = await pay('k-1', 1_050);
  proxy.intercept = usual;
  return code;
}

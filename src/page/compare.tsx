/** Two attempts side by side. Differences are marked in words too, because not everybody can see a colour. */
import { useContext } from 'hono/jsx';
import { isoTime } from '../clock.ts';
import { prettyJson, type ShownAttempt } from './attempt.ts';
import { Choice } from './form.tsx';
import { PageContext } from './page-context.ts';

interface CompareProps {
  readonly attempts: readonly ShownAttempt[];
  /** The keys of the two requested. */
  readonly chosen: readonly [string | undefined, string | undefined];
  /** Path of this page below the base. */
  readonly path: string;
}

export const Compare = ({ attempts, chosen: [left, right], path }: CompareProps) => {
  const { base } = useContext(PageContext);
  const a = attempts.find(({ key }) => key === left);
  const b = attempts.find(({ key }) => key === right);
  const options = attempts.map((one) => [one.key, `${one.label}: ${one.outcome}`] as const);
  if (attempts.length < 2) return null;
  return (
    <section aria-label="Compare two attempts" id="compare">
      <h2>Compare two attempts</h2>
      <form method="get" action={`${base}/${path}`} class="act">
        <Choice name="a" label="One" options={options} chosen={left ?? attempts[0]?.key} />
        <Choice name="b" label="Other" options={options} chosen={right ?? attempts.at(-1)?.key} />
        <button type="submit" data-testid="compare">
          Compare
        </button>
      </form>
      {a === undefined || b === undefined ? null : (
        <table class="compare" data-testid="comparison" aria-label="Comparison">
          <tbody>
            {differences(a, b).map(({ name, one, other }) => (
              <tr class={one === other ? undefined : 'differs'}>
                <th scope="row">
                  {name}
                  {one === other ? null : <span class="mark">differs</span>}
                </th>
                <td>{one ?? '(absent)'}</td>
                <td>{other ?? '(absent)'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};

interface Difference {
  readonly name: string;
  readonly one: string | undefined;
  readonly other: string | undefined;
}

/** Every part of either, in order of appearance. */
function differences(one: ShownAttempt, other: ShownAttempt): Difference[] {
  const [a, b] = [attemptParts(one), attemptParts(other)];
  return [...new Set([...a.keys(), ...b.keys()])].map((name) => ({
    name,
    one: a.get(name),
    other: b.get(name),
  }));
}

function attemptParts(it: ShownAttempt): Map<string, string> {
  const values = new Map<string, string>([
    ['attempt', it.label],
    ['started', isoTime(it.startedAt)],
    ['took', it.durationMs === null ? '' : `${Math.round(it.durationMs)} ms`],
    ['outcome', it.outcome],
    ['reason', it.reason],
  ]);
  for (const [side, message] of [
    ['request', it.request],
    ['response', it.response],
  ] as const) {
    if (message === null) continue;
    values.set(side, message.line);
    for (const [name, value] of message.headers) values.set(`${side} ${name.toLowerCase()}`, value);
    values.set(`${side} body`, prettyJson(message.body));
  }
  return values;
}

/** The one list: a page of rows, newest first, each leading to its detail. */
import type { Child } from 'hono/jsx';
import { useContext } from 'hono/jsx';
import { pressedBy } from './key.tsx';
import { type Place, PlaceContext } from './place.ts';

export interface Column<T> {
  readonly header: string;
  readonly cell: (item: T) => Child;
  /** `wide`: left out where there is no room. `end`: numbers. */
  readonly kind?: 'wide' | 'end' | 'wide end';
}

export interface ListProps<T> {
  /** Its name for people and for tests. */
  readonly name: string;
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string;
  /** Path below the base. */
  readonly href?: (item: T) => string;
  /** Paths of the neighbouring pages; null where there is none. */
  readonly newest?: string | null;
  readonly older?: string | null;
  /** What stands there when there is nothing. */
  readonly empty: Child;
}

/** Rows of one page of any list. */
export const pageSize = 50;

export function List<T>(props: ListProps<T>) {
  const place = useContext(PlaceContext);
  const { base } = place;
  const { name, items, columns, keyOf, href } = props;
  const id = name.toLowerCase().replaceAll(' ', '-');
  const turn = <Turn {...{ newest: props.newest, older: props.older, place, name }} />;
  if (items.length === 0) {
    const isBehindTheLast = typeof props.newest === 'string';
    return (
      <>
        <div class="empty" data-testid={`${id}-empty`}>
          {isBehindTheLast ? <p>There are no older ones.</p> : props.empty}
        </div>
        {turn}
      </>
    );
  }
  const [first, ...rest] = columns;
  return (
    <>
      <table data-testid={id} aria-label={name}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={column.kind}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr data-key={keyOf(item)}>
              <td class={first?.kind}>
                {href === undefined ? (
                  first?.cell(item)
                ) : (
                  <a class="row" href={`${base}/${href(item)}`}>
                    {first?.cell(item)}
                  </a>
                )}
              </td>
              {rest.map((column) => (
                <td class={column.kind}>{column.cell(item)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {turn}
    </>
  );
}

interface TurnProps {
  readonly newest?: string | null | undefined;
  readonly older?: string | null | undefined;
  readonly place: Place;
  readonly name: string;
}

const Turn = ({ newest = null, older = null, place, name }: TurnProps) =>
  newest === null && older === null ? null : (
    <nav class="turn" aria-label={`Pages of ${name}`}>
      {newest === null ? null : (
        <a href={`${place.base}/${newest}`} {...pressedBy(place, '[')}>
          Newest
        </a>
      )}
      {older === null ? null : (
        <a href={`${place.base}/${older}`} data-testid="older" {...pressedBy(place, ']')}>
          Older
        </a>
      )}
    </nav>
  );

/** The one list view: a page of rows, newest first, each of which leads to its detail. */
import type { Child } from 'hono/jsx';
import { useContext } from 'hono/jsx';
import { PageContext, type PageInfo } from './page-context.ts';
import { shortcutAttributes } from './shortcut-key.tsx';

export interface Column<T> {
  readonly header: string;
  readonly cell: (item: T) => Child;
  /** `wide`: left out if there is no room. `end`: numbers. */
  readonly kind?: 'wide' | 'end' | 'wide end';
}

interface ListProps<T> {
  /** Its name for people and for tests. */
  readonly name: string;
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (item: T) => string;
  /** Path below the base. */
  readonly href?: (item: T) => string;
  /** Paths of the neighbouring pages; null if there is none. */
  readonly newest?: string | null;
  readonly older?: string | null;
  /** What is shown when the list is empty. */
  readonly empty: Child;
}

/** Rows on one page of any list. */
export const pageSize = 50;

export function List<T>(props: ListProps<T>) {
  const page = useContext(PageContext);
  const { base } = page;
  const { name, items, columns, keyOf, href } = props;
  const id = name.toLowerCase().replaceAll(' ', '-');
  const pager = <Pager {...{ newest: props.newest, older: props.older, page, name }} />;
  if (items.length === 0) {
    const isBehindTheLast = typeof props.newest === 'string';
    return (
      <>
        <div class="empty" data-testid={`${id}-empty`}>
          {isBehindTheLast ? <p>There are no older ones.</p> : props.empty}
        </div>
        {pager}
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
      {pager}
    </>
  );
}

interface PagerProps {
  readonly newest?: string | null | undefined;
  readonly older?: string | null | undefined;
  readonly page: PageInfo;
  readonly name: string;
}

const Pager = ({ newest = null, older = null, page, name }: PagerProps) =>
  newest === null && older === null ? null : (
    <nav class="turn" aria-label={`Pages of ${name}`}>
      {newest === null ? null : (
        <a href={`${page.base}/${newest}`} {...shortcutAttributes(page, '[')}>
          Newest
        </a>
      )}
      {older === null ? null : (
        <a href={`${page.base}/${older}`} data-testid="older" {...shortcutAttributes(page, ']')}>
          Older
        </a>
      )}
    </nav>
  );

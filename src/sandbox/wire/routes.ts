/** Maps method and path to an operation of the contract. */
import { type OperationName, operations } from '../../contract/operations.ts';

export interface Route {
  readonly operation: OperationName;
  /** Path parameter, decoded; null if the path has none. */
  readonly id: string | null;
}

const exactRoutes = new Map<string, Route>();
const idRoutes: { method: string; before: string; after: string; operation: OperationName }[] = [];

for (const [name, { method, path }] of Object.entries(operations)) {
  const operation = name as OperationName;
  const [before = '', after] = path.split('{id}');
  if (after === undefined) exactRoutes.set(`${method} ${path}`, { operation, id: null });
  else idRoutes.push({ method, before, after, operation });
}

/** Matches exactly: no trailing slash, no other case. Null for a route or verb that the document does not show. */
export function matchRoute(method: string, path: string): Route | null {
  const known = exactRoutes.get(`${method} ${path}`);
  if (known !== undefined) return known;
  for (const route of idRoutes) {
    if (route.method !== method || !path.startsWith(route.before) || !path.endsWith(route.after)) continue;
    const id = decode(path.slice(route.before.length, path.length - route.after.length));
    if (id !== null) return { operation: route.operation, id };
  }
  return null;
}

/** Decodes one segment of a path. Null if it is empty, more than one, or badly encoded. */
function decode(segment: string): string | null {
  if (segment === '' || segment.includes('/')) return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

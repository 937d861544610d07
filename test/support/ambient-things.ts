/** Which ambient things a file of TypeScript touches, by its syntax tree: in whatever expression, and in no text. */
import { parseSync } from 'rolldown/utils';

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

interface Place {
  readonly node: Node;
  readonly parent: Node;
  /** Under which key of `parent`. */
  readonly key: string;
}

/**
 * Those of `order`; `globalThis` where it cannot be told what is taken from it. A variable or parameter of such a name
 * counts too: a reader could not tell it from the ambient thing. What a function from elsewhere or a text that is run
 * (`eval`, the script of a page) touches is not seen.
 */
export function ambientThingsIn(file: string, text: string): string[] {
  // To parse takes long.
  if (!anyName.test(text)) return [];
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found = new Set<string>();
  for (const place of placesIn(program as unknown as Node)) {
    for (const name of thingsAt(place)) found.add(name);
  }
  return order.filter((name) => found.has(name));
}

const anyName =
  /\b(?:console|process|Date|performance|Temporal|fetch|WebSocket|EventSource|isTTY|global(?:This)?)\b/;
const order = ['console', 'process.exit', 'process', 'Date', 'fetch', 'isTTY', 'globalThis'];

function* placesIn(parent: Node): Generator<Place> {
  for (const [key, value] of Object.entries(parent))
    for (const node of [value].flat()) {
      if (!isNode(node) || node.importKind === 'type' || node.exportKind === 'type') continue;
      yield { node, parent, key };
      yield* placesIn(node);
    }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function thingsAt(place: Place): readonly string[] {
  const { node, parent } = place;
  if (node.type === 'Identifier' && node.name === 'isTTY') return ['isTTY'];
  const name = nameAt(place);
  if (name === null) return [];
  // Of `globalThis.process`, what stands around the whole.
  const user = name === node.name ? parent : null;
  const member = user?.object === node ? staticName(user) : null;
  if (name === 'globalThis') return member === null && user?.operator !== 'in' ? ['globalThis'] : [];
  if (name === 'process') {
    if (member === 'versions') return [];
    return member === 'exit' ? ['process.exit', 'process'] : ['process'];
  }
  if (name === 'Temporal') return member === 'Now' || member === null ? ['Date'] : [];
  if (name === 'Date') {
    const isGiven = user?.type === 'NewExpression' && (user.arguments as unknown[]).length > 0;
    const isHarmless = isGiven || ['parse', 'UTC'].includes(member ?? '') || user?.operator === 'instanceof';
    return isHarmless ? [] : ['Date'];
  }
  return things[name] === undefined ? [] : [things[name]];
}

const things: Readonly<Record<string, string>> = {
  console: 'console',
  performance: 'Date',
  fetch: 'fetch',
  WebSocket: 'fetch',
  EventSource: 'fetch',
};

/** The name that is used as a variable there, or taken from the global object; null if none is. */
function nameAt({ node, parent, key }: Place): string | null {
  if (isGlobal(node.object)) return staticName(node);
  if (parent.type === 'Property' && key === 'key' && parent.shorthand !== true) return null;
  if (node.type !== 'Identifier' || isTypeOrLabel(parent)) return null;
  const isOwnName =
    (parent.type === 'MemberExpression' && key === 'property') ||
    (/^(?:Method|Property|Accessor)Definition$/.test(parent.type) && key === 'key') ||
    (parent.type === 'ImportSpecifier' && key === 'imported') ||
    (parent.type === 'ExportSpecifier' && key === 'exported');
  return isOwnName && parent.computed !== true ? null : String(node.name);
}

const isTypeOrLabel = ({ type }: Node): boolean =>
  /^TS(?!AsExpression|NonNullExpression|SatisfiesExpression|InstantiationExpression)/.test(type);

const isGlobal = (node: unknown): boolean =>
  isNode(node) && node.type === 'Identifier' && /^(?:globalThis|global|window|self)$/.test(String(node.name));

/** `x` of `a.x` and `a['x']`; null for anything else. */
function staticName({ type, property, computed }: Node): string | null {
  if (type !== 'MemberExpression' || !isNode(property)) return null;
  if (computed !== true) return String(property.name);
  return property.type === 'Literal' ? String(property.value) : null;
}

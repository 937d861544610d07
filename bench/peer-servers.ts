/**
 * Other local API servers, as their users start them, and what a request of the sandbox's load is to each: create a
 * record with an amount and a description, list twenty, read one.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPeer } from './peers.ts';

export interface PeerServer {
  readonly name: string;
  /** Arguments to Node. */
  args(port: number, folder: string): string[];
  readonly create: { readonly path: string; readonly type: string; readonly body: string };
  readonly list: string;
  one(id: string): string;
  /** Bearer tokens, used in turn, because emulate grants each one 5,000 calls an hour. */
  readonly tokens: readonly string[];
  /** False for one that answers from its description alone. */
  readonly keeps: boolean;
}

const json = 'application/json';
export const sent = { method: 'PIX', amount: 1_050, description: 'pedido 1234567', expiresIn: 3_600 };
const tokens = Array.from({ length: 500 }, (_, at) => `sk_test_${String(at).padStart(24, '0')}`);
const defaults = {
  create: { path: '/charges', type: json, body: JSON.stringify(sent) },
  one: (id: string) => `/charges/${id}`,
  tokens: tokens.slice(0, 1),
  keeps: true,
};

/** Returns those that are available, and names the others on stderr. */
export async function fetchPeerServers(): Promise<PeerServer[]> {
  const wanted: [string, string, (bin: string) => Omit<PeerServer, 'name'>][] = [
    ['json-server@0.17.4', 'json-server', jsonServer],
    ['json-server@1.0.0-beta.15', 'json-server', newJsonServer],
    ['@mockoon/cli@9.9.0', 'mockoon-cli', mockoon],
    ['@stoplight/prism-cli@5', 'prism', prism],
    ['emulate@0.12.2', 'emulate', emulate],
  ];
  const found: PeerServer[] = [];
  for (const [pkg, bin, make] of wanted) {
    const path = await fetchPeer(pkg, bin);
    if (path !== null) found.push({ name: pkg, ...make(path) });
  }
  return found;
}

const jsonServer = (bin: string) => ({
  ...defaults,
  args(port: number, folder: string) {
    const file = writeJson(folder, 'db-0.json', { charges: [] });
    return [bin, '--quiet', '-H', '127.0.0.1', '-p', `${port}`, file];
  },
  list: '/charges?_limit=20&_page=1',
});

const newJsonServer = (bin: string) => ({
  ...defaults,
  args: (port: number, folder: string) => [
    ...[bin, '-h', '127.0.0.1', '-p', `${port}`],
    writeJson(folder, 'db-1.json', { charges: [] }),
  ],
  list: '/charges?_page=1&_per_page=20',
});

const mockoon = (bin: string) => ({
  ...defaults,
  args: (port: number, folder: string) => [
    ...[bin, 'start', '-X', '-l', '127.0.0.1', '-p', `${port}`, '-d'],
    writeJson(folder, 'mockoon.json', mockoonData),
  ],
  list: '/charges?limit=20&page=1',
});

const prism = (bin: string) => ({
  ...defaults,
  args: (port: number, folder: string) => [
    ...[bin, 'mock', '-h', '127.0.0.1', '-p', `${port}`],
    writeJson(folder, 'openapi.json', description),
  ],
  list: '/charges?limit=20',
  keeps: false,
});

/** The Stripe one of its services, whose nearest match for a charge is a payment intent. */
const emulate = (bin: string) => ({
  ...defaults,
  args: (port: number) => [bin, 'start', '--service', 'stripe', '--port', `${port}`],
  create: {
    path: '/v1/payment_intents',
    type: 'application/x-www-form-urlencoded',
    body: `amount=${sent.amount}&currency=brl&description=pedido+1234567&metadata[ref]=1234567890123`,
  },
  list: '/v1/payment_intents?limit=20',
  one: (id: string) => `/v1/payment_intents/${id}`,
  tokens,
});

function writeJson(folder: string, name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const uuid = (last: number) => `a0000000-0000-4000-8000-${String(last).padStart(12, '0')}`;
/** One CRUD route over an empty data bucket. */
const mockoonData = {
  ...{
    uuid: uuid(0),
    lastMigration: 33,
    name: 'bench',
    port: 3000,
    hostname: '127.0.0.1',
    endpointPrefix: '',
  },
  ...{ latency: 0, folders: [], rootChildren: [{ type: 'route', uuid: uuid(1) }], proxyMode: false },
  ...{ proxyHost: '', proxyRemovePrefix: false, proxyReqHeaders: [], proxyResHeaders: [], cors: false },
  ...{ headers: [{ key: 'Content-Type', value: json }], callbacks: [], tlsOptions: { enabled: false } },
  routes: [
    {
      ...{ uuid: uuid(1), type: 'crud', documentation: '', method: '', endpoint: 'charges' },
      ...{ responseMode: null, streamingMode: null, streamingInterval: 0 },
      responses: [
        {
          ...{ uuid: uuid(2), body: '{}', latency: 0, statusCode: 200, label: '', headers: [], filePath: '' },
          ...{ bodyType: 'DATABUCKET', databucketID: 'c001', sendFileAsBody: false, rules: [] },
          ...{ rulesOperator: 'OR', disableTemplating: false, fallbackTo404: false, default: true },
          ...{ crudKey: 'id', callbacks: [] },
        },
      ],
    },
  ],
  data: [{ uuid: uuid(3), id: 'c001', name: 'charges', documentation: '', value: '[]' }],
};

const example = { id: 'chg_1', ...sent, status: 'PENDING' };
const answer = (schema: object, shown: unknown) => ({
  description: 'as shown',
  content: { [json]: { schema, example: shown } },
});
const record = { type: 'object', required: ['id', 'amount'] };
const description = {
  openapi: '3.1.0',
  info: { title: 'bench', version: '1' },
  paths: {
    '/charges': {
      post: {
        requestBody: {
          required: true,
          content: { [json]: { schema: { type: 'object', required: ['method', 'amount'] } } },
        },
        responses: { 201: answer(record, example) },
      },
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: answer({ type: 'array', items: record }, Array(20).fill(example)) },
      },
    },
    '/charges/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: answer(record, example) },
      },
    },
  },
};

/** Describes the documented plane as OpenAPI 3.1, generated from the contract. */
import * as z from 'zod/mini';
import type { AssumptionId } from '../../contract/assumptions.ts';
import { chargeLimits } from '../../contract/charge.ts';
import { failureEnvelope } from '../../contract/envelope.ts';
import { errorStatus } from '../../contract/error-codes.ts';
import { type Operation, type OperationName, operations } from '../../contract/operations.ts';
import { listLimit } from '../../contract/pagination.ts';
import type { Schema } from '../../contract/schema.ts';
import { listMerchants } from '../rules/merchants.ts';
import type { World } from '../world/world.ts';
import { answeredSchema, type Json, paginationSchema } from './answered-schemas.ts';
import { assumedMember } from './assumed.ts';
import { describeEvents } from './openapi-webhooks.ts';

export function openapi(world: World): Json {
  const paths: Record<string, Json> = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(name as OperationName, operation, world),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'PIX Payment Service, as the pixctl sandbox serves it',
      version: '1.0.0-beta',
      description: 'Generated from the contract. What the document does not show is marked x-assumed.',
    },
    security: [{ apiKey: [] }],
    paths,
    webhooks: describeEvents(world),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'svc_...' } },
      schemas: { Failure: failureSchema(world) },
    },
  };
}

function describe(name: OperationName, operation: Operation, world: World): Json {
  const { query, body } = operation;
  const isFeeAssumed = name === 'createWithdrawal' && hasAssumedFee(world);
  const assumed: readonly AssumptionId[] = isFeeAssumed
    ? [...operation.assumed, 'withdrawal-fee']
    : operation.assumed;
  const path = operation.path.includes('{id}')
    ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
    : [];
  return {
    operationId: name,
    summary: operation.summary,
    ...assumedMember(assumed, world),
    parameters: [
      ...path,
      ...(query === null ? [] : parametersOf(withAddedKeywords('query', schemaOf(query)))),
    ],
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: jsonOf(acceptedSchema(name, withAddedKeywords(name, schemaOf(body)), world)),
          },
        }),
    responses: {
      [operation.success]: { description: 'success', content: jsonOf(envelopeOf(name, operation, world)) },
      ...failures,
    },
  };
}

/**
 * Whether the fee is still an assumption. It is a merchant's setting and no part of the operation, so it is as long as
 * any merchant still has the assumed one.
 */
const hasAssumedFee = (world: World): boolean =>
  listMerchants(world).some(({ withdrawalFee }) => withdrawalFee === Number(world.assume('withdrawal-fee')));

const jsonOf = (schema: Json) => ({ 'application/json': { schema } });

const failures = Object.fromEntries(
  [...new Set<number>(Object.values(errorStatus))].map((status) => {
    const codes = Object.entries(errorStatus).filter(([, other]) => other === status);
    const description = codes.map(([code]) => code).join(' or ');
    return [status, { description, content: jsonOf({ $ref: '#/components/schemas/Failure' }) }];
  }),
);

function envelopeOf(name: OperationName, { data, shape, isMaybeUnpaged }: Operation, world: World): Json {
  const item = answeredSchema(name, world) ?? schemaOf(data);
  const isList = shape === 'list';
  return {
    type: 'object',
    required: ['data', 'error', 'success', ...(isList && isMaybeUnpaged !== true ? ['pagination'] : [])],
    properties: {
      data: isList ? { type: 'array', items: item } : item,
      ...(isList ? { pagination: paginationSchema } : {}),
      error: { type: 'null' },
      success: { const: true },
    },
  };
}

/** The contract's, with the document's codes, and `data` if this sandbox sends it (`failure-data`). */
function failureSchema(world: World): Json {
  const { properties, required, ...rest } = schemaOf(failureEnvelope);
  const data = world.assume('failure-data') === 'null' ? { data: { type: 'null' } } : {};
  const error = { type: 'string', enum: Object.keys(errorStatus) };
  return {
    ...rest,
    properties: { ...data, ...(properties as Json), error },
    required: [...Object.keys(data), ...(required as string[])],
  };
}

/** What the document says about a field but its schema does not: a bound that is a business rule, a default. */
const addedKeywords: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  createCharge: {
    amount: { minimum: chargeLimits.amount.min, maximum: chargeLimits.amount.max },
    expiresIn: { default: chargeLimits.expiresIn.default },
  },
  query: { limit: { default: listLimit.default } },
};

function withAddedKeywords(name: string, schema: Json): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
    ([field, property]) => [field, { ...property, ...addedKeywords[name]?.[field] }],
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Returns a schema as this sandbox accepts it: `url` under its assumed name, extra properties if they are ignored. */
function acceptedSchema(name: string, schema: Json, world: World): Json {
  const { additionalProperties: _, ...open } = schema;
  const taken = name !== 'createCharge' && world.assume('extra-property') === 'ignore' ? open : schema;
  const field = world.assume('webhook-url-field');
  if (name !== 'createWebhook' || field === 'url') return taken;
  const { url, ...properties } = taken.properties as Json;
  return { ...taken, properties: { ...properties, [field]: url }, required: [field, 'events'] };
}

function parametersOf(schema: Json): Json[] {
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Json).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
  }));
}

function schemaOf(build: () => Schema): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(build(), { override: withoutSafeBounds }) as Json;
  return rest;
}

/** Removes the bounds of what JavaScript can count, which are no rule of the service. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

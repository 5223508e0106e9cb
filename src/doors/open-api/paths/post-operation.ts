import { ServiceError } from '../../../base/errors.ts'
import { MOST_BODY_BYTES, MOST_HOTSPOTS } from '../../../catalog/query/series-parameters.ts'
import type { Schema } from '../schemas/schema.ts'
import type { DocumentStyle, OperationObject } from './document-types.ts'
import { responseOf } from './error-responses.ts'

/** Keys are not blank. */
export const KEY_PATTERN = '[^,\\x00]*[^,\\s\\x00][^,\\x00]*'

/** Describes a list of texts in a body. */
export function textList(description: string, maxItems: number, items: Schema = { type: 'string' }): Schema {
  return { type: 'array', items, minItems: 1, maxItems, description }
}

export const hotspotKeysBody = {
  lists: {
    hotspot_keys: textList(
      `Keys or names of hotspots; the body has at most ${MOST_BODY_BYTES} bytes.`,
      MOST_HOTSPOTS,
      { type: 'string', pattern: `^${KEY_PATTERN}$` },
    ),
  },
  required: ['hotspot_keys'],
  example: {
    summary: 'The rewards of some hotspots.',
    value: { hotspot_keys: ['14q5U9DF9T4jQG5JYbYTGYVwUBbc1jSJTfpjB9Ah2v1vKAiFQaD'] },
  },
  replaced: ['hotspot_key'],
}

/** Lists that the body of a POST has. */
type ListsBody = Readonly<{
  lists: Readonly<Record<string, Schema>>
  /** Lists that the body must have. */
  required?: readonly string[]
  example: { readonly summary: string; readonly value: Readonly<Record<string, readonly string[]>> }
  /** Parameters of the GET operation that the lists replace. */
  replaced: readonly string[]
}>

/** Describes the POST operation of a GET operation, with lists in its body. */
export function postOperation(
  { operationId, parameters = [], responses, ...operation }: OperationObject,
  { lists, required, example, replaced }: ListsBody,
  style: DocumentStyle,
): OperationObject {
  const tooLarge = new ServiceError(
    'body_too_large',
    `The body must have at most ${MOST_BODY_BYTES} bytes; send less at once.`,
  )
  // OpenAPI 3.0 allows no empty list.
  const schema = {
    ...{ type: 'object', properties: lists, additionalProperties: false },
    ...(required !== undefined && { required }),
  }
  return {
    operationId: operationId.replace('get-', 'post-'),
    ...operation,
    parameters: parameters.filter(({ name }) => !replaced.includes(name)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples: { keys: example } } },
    },
    responses: { ...responses, 413: responseOf([tooLarge], style) },
  }
}

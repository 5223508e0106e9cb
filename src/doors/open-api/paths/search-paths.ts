import { MOST_HITS, MOST_OF_KIND, SIMILAR_RULE } from '../../../catalog/records/search-hit.ts'
import { hitKinds } from '../../../catalog/search-face.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import {
  LEAST_SEARCHED,
  MOST_SEARCHED,
  searchParameters,
  searchPath,
  searchQuery,
} from '../../contract/search-query.ts'
import {
  booleanSchema,
  exactly,
  listSchema,
  orNull,
  reference,
  type Schema,
  textSchema,
} from '../schemas/schema.ts'
import type { DocumentOptions, OpenApiDocument, OperationObject, Parameter } from './document-types.ts'
import { caughtError, errorResponses, headerReferences } from './error-responses.ts'
import { snapshotName } from './parameter-texts.ts'
import { securityOf } from './rest-operations.ts'

const kind: Schema = { type: 'string', enum: hitKinds, description: 'Kind of the result.' }

const hit = exactly(
  {
    kind,
    id: {
      ...orNull({ type: 'string', format: 'uuid' }),
      description: 'Id of the record; null for an owner.',
    },
    key: textSchema('Key of a hotspot, address, or hash.'),
    name: orNull(textSchema('Null if it has none.')),
    matched: textSchema('The member whose text matched, such as ecc_key.'),
    text: textSchema('The matched text.'),
    is_exact: booleanSchema('Whether it is the whole text that was searched for.'),
    path: textSchema('Path of the operation that returns it.'),
  },
  'A result of a search.',
)

export const searchSchemas: Readonly<Record<string, Schema>> = {
  Hit: hit,
  SearchResult: exactly(
    {
      q: textSchema('The searched text.'),
      hits: {
        type: 'array',
        maxItems: MOST_HITS,
        items: reference('schemas', 'Hit'),
        description: 'The exact ones first, then by kind and text.',
      },
      more: listSchema(kind, 'Kinds with more hits.'),
    },
    'Results of a search.',
  ),
}

/** Length excludes surrounding blanks. */
const searched: Schema = {
  type: 'string',
  minLength: LEAST_SEARCHED,
  pattern: `^\\s*[^\\s\\x00][^\\x00]{${LEAST_SEARCHED - 2},${MOST_SEARCHED - 2}}[^\\s\\x00]\\s*$`,
}

/** Parameters of a search. */
export const searchArguments = [
  { name: 'q', in: 'query', description: searchParameters.q, required: true, schema: searched },
  { name: 'as_of', in: 'query', allowEmptyValue: true, ...snapshotName },
] as const satisfies readonly Parameter[]

export function searchPaths({
  prefix,
  style,
  examples,
  asksKey = false,
}: DocumentOptions): OpenApiDocument['paths'] {
  const [q, asOf] = searchArguments
  const liveName = examples?.get('get-hotspots')?.parameters.name
  const refusal = caughtError(() => searchQuery({ q: 'ab' }, style.queries.refusesUnknown))
  const get: OperationObject = {
    operationId: 'get-search',
    tags: ['Service'],
    summary: 'Records with a name, key, address or hash',
    description:
      `Hotspots, makers, owners, accounts, gateways and transactions that have the text or begin with it: at most ${MOST_OF_KIND} of ` +
      `a kind and ${MOST_HITS} in all, the exact ones first. ${SIMILAR_RULE} Where keys are asked for, kinds that the key may not read are left out.`,
    security: securityOf([], asksKey),
    parameters: [{ ...q, example: liveName ?? 'angry-purple-tiger' }, asOf],
    responses: {
      200: {
        description: 'Results.',
        headers: headerReferences(['Ledgerlake-Snapshot', 'X-Request-Id', ...limitHeaders]),
        content: { 'application/json': { schema: reference('schemas', 'SearchResult') } },
      },
      ...errorResponses([refusal], style),
    },
  }
  return { [prefix + searchPath]: { get } }
}

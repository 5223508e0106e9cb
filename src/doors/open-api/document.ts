import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Resource } from '../../catalog/resource.ts'
import { filesPath, hasFiles, operationsOf, takesBody } from '../contract/operations.ts'
import { MOST_PER_PAGE } from '../contract/page-parameters.ts'
import type { DocumentOptions, DocumentStyle, OpenApiDocument } from './paths/document-types.ts'
import { earningsPaths } from './paths/earnings-paths.ts'
import { commonResponses } from './paths/error-responses.ts'
import { describeFile, describeJson } from './paths/file-operations.ts'
import { cellPaths, cellSchemas } from './paths/h3-cell-paths.ts'
import { hotspotKeysBody, postOperation } from './paths/post-operation.ts'
import { describeOperation, KEY } from './paths/rest-operations.ts'
import { searchPaths, searchSchemas } from './paths/search-paths.ts'
import { graphqlSchemas, servicePaths } from './paths/service-paths.ts'
import { sqlPaths, sqlSchemas } from './paths/sql-paths.ts'
import { statementPaths } from './paths/statement-paths.ts'
import { coverageSchemas } from './schemas/coverage-schemas.ts'
import { recordSchemas } from './schemas/record-schemas.ts'
import type { IntegerForm } from './schemas/schema.ts'
import { statementSchemas } from './schemas/statement-schemas.ts'

/** Tags of operations. Source: specification, "What the service does". */
const areas = [
  { name: 'L2', description: 'Makers, hotspots and reward shares: the network as it is.' },
  {
    name: 'L1',
    description: 'The ledger that the network began with: accounts, gateways and events of blocks.',
  },
  { name: 'GraphQL', description: 'Every list by cursor, totals, series and searches, in one query.' },
  { name: 'Service', description: 'Health and work of the server.' },
] as const

/** Rules of all operations, one paragraph each. */
function rulesOf(
  { queries, forms }: DocumentStyle,
  alsoAt: readonly string[],
  base: string,
): readonly string[] {
  const unknown = queries.refusesUnknown
    ? ' Unknown parameters, and values outside a closed list, are refused by name.'
    : ''
  const also = alsoAt.map((prefix) => ` The same is answered below \`${prefix}\`.`).join('')
  return [
    `${integerRules[forms.integers].replace('`/', `\`${base}/`)} \`${base}/openapi-3.0.json\` is this document in OpenAPI 3.0. Amounts are in the smallest unit of their token.${also}`,
    `Lists have pages: \`page\` from 1, \`per_page\` up to ${MOST_PER_PAGE}. \`from\` and \`to\` are both included, and compared with ` +
      '`end_period` on reward shares and with `time` on L1. `from` must be before `to`. Times are ISO 8601, UTC without ' +
      `an offset; a bare date means 00:00 UTC. An empty parameter counts as absent.${unknown}`,
    'Each response comes from one snapshot, named in the header `Ledgerlake-Snapshot`. `as_of` with that id repeats the ' +
      'request on the same data, also after later ingests; `as_of` with a time selects the snapshot of that moment.',
    'Error responses have a message and a machine-readable code, and `errors` lists every wrong parameter. ' +
      'A method that an operation does not have gets 405, with the methods in `Allow`.',
    'If the server has keys, send one as `Authorization: Bearer <key>`; without keys everything is open.',
  ]
}

const TEXT_FORM = '/openapi.json?integers=string'
const NUMBER_FORM = '/openapi.json'

const integerRules: Readonly<Record<IntegerForm, string>> = {
  number:
    'Integers are exact, also beyond 2^53, where many JSON readers round them. Read them as 64-bit integers, or add ' +
    `\`integers=string\`, which \`${TEXT_FORM}\` describes. Amounts go up to 2^64 - 1, sums and numbers of bytes ` +
    'further, so a signed `int64` can overflow; text cannot.',
  string:
    'This document is for clients that send `integers=string` to every operation: 64-bit integers of records and totals ' +
    `are strings of digits, exact and of any size. Numbers of pages stay integers. \`${NUMBER_FORM}\` describes the ` +
    'replies without that parameter.',
}

const otherForms: Readonly<Record<IntegerForm, { readonly url: string; readonly description: string }>> = {
  number: { url: TEXT_FORM, description: 'The same, asked with integers=string: 64-bit integers are text.' },
  string: { url: NUMBER_FORM, description: 'The same, with 64-bit integers as bare digits.' },
}

const text = { type: 'string' }
const integer = { type: 'integer' }

const headers: Readonly<Record<string, JsonObject>> = {
  'Ledgerlake-Snapshot': header('Id of the snapshot that the answer comes from.', text),
  'Ledgerlake-From': header(
    'Where the range begins instead, when the key may not look back as far as `from`.',
    {
      ...{ type: 'string', format: 'date-time' },
    },
  ),
  'Ledgerlake-Rows': header('Rows of the file, exactly; a transfer that was cut has fewer.', integer),
  'Content-Disposition': header('A name for the file.', text),
  'Content-Location': header(
    'The address of the same file by the id of the snapshot, where `as_of` has no id.',
    text,
  ),
  'Content-Length': header(
    'Bytes of the body, where `as_of` is an id and the body is not compressed.',
    integer,
  ),
  'Accept-Ranges': header('`bytes` where the file has byte ranges.', text),
  'Content-Range': header('First and last byte of the part, and the length of the file.', text),
  'Ledgerlake-Missing': header(
    'Missing in the range: days without data or without one of their files, and days with a file that no manifest names, ' +
      'as in `days=1, manifests=0`; `manifests=unknown` while they cannot be read. Without it nothing is missing.',
    { type: 'string', pattern: '^days=[0-9]+, manifests=([0-9]+|unknown)$' },
  ),
  'Ledgerlake-Coverage': header(
    'With coverage=true, as JSON: from, to, how many days are expected, present, missing, incomplete, late and without a manifest, the newest ' +
      'day, tokens and mixes_tokens. `/status` with the same from, to and as_of names the days.',
    { type: 'string', contentMediaType: 'application/json' },
  ),
  'Ledgerlake-Unknown': header(
    'Number of keys, addresses or names in each parameter that match no readable row, such as `hotspot_key=1, owner=1`; `?` if the server could not ' +
      'check. Sent with empty lists, empty files, totals of 0 and series. Without the header, all exist.',
    { type: 'string', pattern: '^[a-z_]+=([0-9]+|[?])(, [a-z_]+=([0-9]+|[?]))*$' },
  ),
  'X-Request-Id': header('Id of the request, for the log.', text),
  'RateLimit-Limit': header('Requests in a minute, where the key has such a limit.', integer),
  'RateLimit-Remaining': header('Requests that are left of them.', integer),
  'RateLimit-Reset': header('Seconds until the minute is over.', integer),
  'Ledgerlake-Quota-Limit': header('Requests in 30 days, where the key has such a limit.', integer),
  'Ledgerlake-Quota-Remaining': header('Requests that are left of them.', integer),
  'Ledgerlake-Quota-Reset': header('Seconds until the 30 days are over.', integer),
  'WWW-Authenticate': header('How a key is given: Bearer.', text),
  'Retry-After': header('Seconds after which to ask again.', integer),
}

function header(description: string, schema: JsonObject): JsonObject {
  return { description, schema }
}

/** Prefixes the links of the document with an address. */
export function linkedFrom(address: string, { externalDocs, ...document }: OpenApiDocument): OpenApiDocument {
  return { ...document, externalDocs: { ...externalDocs, url: `${address}${externalDocs.url}` } }
}

/** Builds the OpenAPI 3.1 document; its links are paths. */
export function openApiDocument(resources: readonly Resource[], options: DocumentOptions): OpenApiDocument {
  const { prefix, style, alsoAt = [], base = '' } = options
  const schemas = {
    ...recordSchemas(resources, style.forms),
    PageMeta: style.forms.meta,
    ErrorReply: style.forms.error,
    ...coverageSchemas(style.forms),
    ...graphqlSchemas,
    ...statementSchemas,
    ...searchSchemas,
    ...cellSchemas,
    ...sqlSchemas,
  }
  const operations = operationsOf(resources, style.queries).flatMap(
    (operation): (readonly [string, OpenApiDocument['paths'][string]])[] => {
      const get = describeOperation(operation, schemas, options)
      const path = prefix + operation.path
      const file = hasFiles(operation, style.queries)
        ? [[prefix + filesPath(operation), { get: describeFile(operation, get, options) }] as const]
        : []
      const json = describeJson(operation, get)
      const summary = `${json.summary}, of many hotspots`
      const post = takesBody(operation) && {
        post: postOperation({ ...json, summary }, hotspotKeysBody, style),
      }
      return [[path, { get: json, ...post }], ...file]
    },
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'ledgerlake',
      version: '1.0',
      summary: 'Ledger and reward data of a wireless network, exact to the last unit.',
      description: rulesOf(style, alsoAt, base).join('\n\n'),
    },
    externalDocs: otherForms[style.forms.integers],
    servers: [{ url: base || '/' }],
    tags: areas,
    paths: {
      ...Object.fromEntries(operations),
      ...searchPaths(options),
      ...statementPaths(options),
      ...earningsPaths(options),
      ...cellPaths(options),
      ...sqlPaths(options),
      ...servicePaths(resources, options),
    },
    components: {
      schemas,
      responses: commonResponses(style),
      headers,
      securitySchemes: {
        [KEY]: {
          type: 'http',
          scheme: 'bearer',
          description: options.asksKey
            ? 'An API key with the features that it has.'
            : 'An API key with the features that it has; none is needed while the server has no keys.',
        },
      },
    },
  }
}

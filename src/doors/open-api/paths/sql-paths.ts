import { sqlFeatures } from '../../../catalog/feature.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import { missingFeatures } from '../../contract/missing-features.ts'
import {
  MOST_SQL_CHARACTERS,
  MOST_SQL_ROWS,
  sqlFormatNames,
  sqlFormats,
  sqlParameters,
  sqlPath,
  sqlQuery,
} from '../../contract/sql-query.ts'
import { booleanSchema, exactly, reference, type Schema, textSchema } from '../schemas/schema.ts'
import type { Described, DocumentOptions, OpenApiDocument, OperationObject } from './document-types.ts'
import { caughtError, errorResponses, headerReferences } from './error-responses.ts'
import { anyText, snapshotName, someText } from './parameter-texts.ts'
import { integersParameters } from './parameters.ts'
import { needsSentence, securityOf } from './rest-operations.ts'

export const sqlSchemas: Readonly<Record<string, Schema>> = {
  SqlResult: exactly(
    {
      snapshot: textSchema('Id of the snapshot.'),
      columns: {
        type: 'array',
        items: exactly({
          name: textSchema('Name of the column; a repeated name gets a number.'),
          type: textSchema('Its type in DuckDB, such as `DECIMAL(38,8)`.'),
        }),
        description: 'Columns in order.',
      },
      is_cut: booleanSchema('Whether there are more rows.'),
      records: {
        type: 'array',
        items: { type: 'object' },
        description:
          'Rows by column. Integers have every digit, decimals with a fraction are text, and times are ISO 8601.',
      },
    },
    'Rows of a statement.',
  ),
}

const example = 'select name, dao from makers order by name limit 3'

const schemas: Readonly<Record<keyof typeof sqlParameters, Schema>> = {
  query: someText,
  parameters: { ...anyText, examples: ['["2025-01-31"]'] },
  format: { type: 'string', enum: sqlFormatNames },
  integers: { type: 'string', enum: ['number', 'string'], default: 'number' },
  rows: { type: 'integer', minimum: 1, maximum: MOST_SQL_ROWS, default: MOST_SQL_ROWS },
  as_of: anyText,
}

export function sqlPaths({ prefix, style, asksKey = false }: DocumentOptions): OpenApiDocument['paths'] {
  const names = Object.keys(sqlParameters) as (keyof typeof sqlParameters)[]
  const described = (name: keyof typeof sqlParameters): Described => ({
    ...{ description: sqlParameters[name], schema: schemas[name] },
  })
  // Generated clients expect one kind of reply.
  const ofJson = names.filter((name) => name !== 'format')
  const formats = sqlFormats.map(({ name }) => `\`format=${name}\``).join(', ')
  const operation = (operationId: string): OperationObject => ({
    operationId,
    tags: ['Service'],
    summary: 'Rows of one SELECT',
    description:
      `Runs one SELECT over the tables, and over views that join them, of one snapshot. A JSON reply has at most ${MOST_SQL_ROWS} rows and ${MOST_SQL_CHARACTERS} characters; ` +
      `${formats} stream all rows as a file, which is whole or ends with a reset of the connection. \`position\` of an error is its place in the statement. ${needsSentence(sqlFeatures)}`,
    security: securityOf(sqlFeatures, asksKey),
    responses: {
      200: {
        description: 'The rows.',
        headers: headerReferences(['Ledgerlake-Snapshot', 'X-Request-Id', ...limitHeaders]),
        content: { 'application/json': { schema: reference('schemas', 'SqlResult') } },
      },
      ...errorResponses(
        [...missingFeatures(sqlFeatures), caughtError(() => sqlQuery({}, style.queries.refusesUnknown))],
        style,
      ),
    },
  })
  const get: OperationObject = {
    ...operation('get-sql'),
    parameters: ofJson.map((name) => {
      if (name === 'integers') return { name, in: 'query', ...integersParameters[style.forms.integers] }
      if (name === 'as_of') return { name, in: 'query', allowEmptyValue: true, ...snapshotName }
      const parameter = { name, in: 'query', ...described(name) } as const
      return name === 'query'
        ? { ...parameter, required: true, example }
        : { ...parameter, allowEmptyValue: true }
    }),
  }
  const members = Object.fromEntries(
    ofJson.map((name) => [name, { ...schemas[name], description: sqlParameters[name] }]),
  )
  const isText = style.forms.integers === 'string'
  const values: Schema = {
    type: 'array',
    items: { type: ['string', 'null'] },
    description: sqlParameters.parameters,
  }
  const body: Schema = {
    type: 'object',
    properties: {
      ...members,
      parameters: values,
      ...(isText && { integers: { ...members.integers, enum: ['string'], default: 'string' } }),
    },
    required: ['query', ...(isText ? ['integers'] : [])],
    additionalProperties: false,
  }
  const post: OperationObject = {
    ...operation('post-sql'),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { ...body, examples: [{ query: example }] } } },
    },
  }
  return { [prefix + sqlPath]: { get, post } }
}

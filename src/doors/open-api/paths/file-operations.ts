import { ServiceError } from '../../../base/errors.ts'
import { hasDays } from '../../../catalog/embeddings.ts'
import { type ExportFormat, exportFormats, plainFormats } from '../../../catalog/export-formats.ts'
import { identifiersOf } from '../../../catalog/identities.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import type { RestOperation } from '../../contract/operations.ts'
import { querySchema } from '../../contract/query-schema.ts'
import type { Schema } from '../schemas/schema.ts'
import type { Content, DocumentOptions, OperationObject, Parameter, Response } from './document-types.ts'
import { caughtError, errorResponses, headerReferences, operationErrors } from './error-responses.ts'

/** Parameters of pages only, and of files only. */
const pageParameters = ['page', 'per_page']
const fileParameters = ['format', 'columns', 'coverage']

/** Describes a list as pages only: generated clients expect one kind of reply. */
export function describePages({ parameters = [], ...list }: OperationObject): OperationObject {
  return { ...list, parameters: parameters.filter(({ name }) => !fileParameters.includes(name)) }
}

const plainType = ({ type }: ExportFormat) => type.replace(/;.*/, '')

/** Content by media type, which two formats share. `binary` makes generated clients keep bytes; Python clients cannot if the type is text. */
const contents: Readonly<Record<string, Content>> = Object.fromEntries(
  exportFormats.map(plainType).map((type) => {
    const docs = exportFormats.filter((format) => plainType(format) === type).map(({ doc }) => doc)
    const bytes = type.startsWith('text/') ? {} : { format: 'binary' }
    const schema = { type: 'string', ...bytes, contentMediaType: type, description: docs.join(' ') }
    return [type, { schema }]
  }),
)

/** Describes a list as files only. */
export function describeFile(
  operation: RestOperation,
  { parameters: listParameters = [], ...list }: OperationObject,
  { prefix, style }: DocumentOptions,
): OperationObject {
  const { id, path, summary, resource } = operation
  const [first] = exportFormats
  const parameters = listParameters
    .filter(({ name }) => !pageParameters.includes(name))
    .map((parameter): Parameter => {
      if (parameter.name !== 'format') return parameter
      const { allowEmptyValue: _, ...format } = parameter
      const schema: Schema = { type: 'string', enum: exportFormats.map(({ name }) => name) }
      return { ...format, required: true, description: FORMAT, schema, example: first?.name ?? '' }
    })
  const refusal = caughtError(() => querySchema(resource, operation.kind, style.queries)({ format: 'xlsx' }))
  const headers = headersOf(operation)
  const part: Response = {
    description: 'The part of the file that `Range` asks for.',
    headers: headerReferences([...headers, 'Content-Range']),
    content: contents,
  }
  const noPart = new ServiceError(
    'range_not_satisfiable',
    'Range is "bytes=9000-"; the file has 8191 bytes, from 0.',
  )
  return {
    ...list,
    operationId: `${id}-file`,
    summary: `${summary}, as a file`,
    description:
      `${list.description} All rows in one flat table; \`${prefix}${path}\` with \`format\` gives the same file. Where \`as_of\` names a snapshot by its ` +
      'id, the file has a length and byte ranges.',
    parameters,
    responses: {
      200: { description: 'The file.', headers: headerReferences(headers), content: contents },
      206: part,
      ...errorResponses([...operationErrors(operation).slice(0, -1), refusal, noPart], style),
    },
  }
}

const FORMAT = `Format of the file: ${plainFormats.map(({ title }) => title).join(', ')}, or CSV for spreadsheets, with an apostrophe before texts that spreadsheets read as formulas.`

function headersOf({ resource }: RestOperation): readonly string[] {
  return [
    ...['Ledgerlake-Snapshot', 'X-Request-Id', ...limitHeaders],
    ...(resource.lookback === undefined ? [] : ['Ledgerlake-From']),
    ...['Ledgerlake-Rows', 'Content-Disposition', 'Accept-Ranges', 'Content-Length', 'Content-Location'],
    ...(hasDays(resource) ? ['Ledgerlake-Missing', 'Ledgerlake-Coverage'] : []),
    ...(identifiersOf(resource).length > 0 ? ['Ledgerlake-Unknown'] : []),
  ]
}

import { ServiceError } from '../../../base/errors.ts'
import { hasDays } from '../../../catalog/embeddings.ts'
import { type ExportFormat, plainFormats } from '../../../catalog/export-formats.ts'
import { identifiersOf } from '../../../catalog/identities.ts'
import { fileFormatsOf } from '../../contract/export-parameters.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import type { RestOperation } from '../../contract/operations.ts'
import { querySchema } from '../../contract/query-schema.ts'
import type { Schema } from '../schemas/schema.ts'
import type { Content, DocumentOptions, OperationObject, Parameter, Response } from './document-types.ts'
import { caughtError, errorResponses, headerReferences, operationErrors } from './error-responses.ts'

/** Parameters of JSON only, and of files only. */
const jsonParameters = ['page', 'per_page', 'median']
const fileParameters = ['format', 'columns', 'locale']

/** Describes an operation as JSON only: generated clients expect one kind of reply. */
export function describeJson(
  { kind }: RestOperation,
  { parameters = [], ...get }: OperationObject,
): OperationObject {
  const ofFiles = kind === 'list' ? [...fileParameters, 'coverage'] : fileParameters
  return { ...get, parameters: parameters.filter(({ name }) => !ofFiles.includes(name)) }
}

type FileForm = Pick<ExportFormat, 'type' | 'doc'>

const plainType = ({ type }: FileForm) => type.replace(/;.*/, '')

/** Content by media type, which two formats share. `binary` makes generated clients keep bytes; Python clients cannot if the type is text. */
export function contentsOf(formats: readonly FileForm[]): Readonly<Record<string, Content>> {
  return Object.fromEntries(
    formats.map(plainType).map((type) => {
      const docs = formats.filter((format) => plainType(format) === type).map(({ doc }) => doc)
      const bytes = type.startsWith('text/') ? {} : { format: 'binary' }
      const schema = { type: 'string', ...bytes, contentMediaType: type, description: docs.join(' ') }
      return [type, { schema }]
    }),
  )
}

/** Describes a list or a series as files only. */
export function describeFile(
  operation: RestOperation,
  { parameters: listParameters = [], ...list }: OperationObject,
  { prefix, style }: DocumentOptions,
): OperationObject {
  const { id, kind, path, summary, resource } = operation
  const formats = fileFormatsOf(kind)
  const [first] = formats
  const contents = contentsOf(formats)
  const parameters = listParameters
    .filter(({ name }) => !jsonParameters.includes(name))
    .map((parameter): Parameter => {
      if (parameter.name === 'coverage' && kind === 'series') return { ...parameter, description: COVERAGE }
      if (parameter.name !== 'format') return parameter
      const { allowEmptyValue: _, ...format } = parameter
      const schema: Schema = { type: 'string', enum: formats.map(({ name }) => name) }
      return {
        ...format,
        required: true,
        description: meaningOf(formats),
        schema,
        example: first?.name ?? '',
      }
    })
  const refusal = caughtError(() => querySchema(resource, operation.kind, style.queries)({ format: 'xlsx' }))
  const headers = headersOf(operation)
  if (kind === 'series')
    return {
      ...list,
      operationId: `${id}-file`,
      summary: `${summary}, as a file`,
      description: `${list.description} \`${prefix}${path}\` with \`format\` gives the same file.`,
      parameters,
      responses: {
        ...list.responses,
        200: { description: 'The file.', headers: headerReferences(headers), content: contents },
      },
    }
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

const COVERAGE =
  'Adds the header `Ledgerlake-Coverage`: how many days and manifests the range has, and how many it lacks.'

function meaningOf(formats: readonly ExportFormat[]): string {
  const titles = formats.filter((format) => plainFormats.includes(format)).map(({ title }) => title)
  return `Format of the file: ${titles.join(', ')}, or CSV for spreadsheets, with an apostrophe before texts that spreadsheets read as formulas.`
}

function headersOf({ resource, kind }: RestOperation): readonly string[] {
  const ofLists = kind === 'list' ? ['Accept-Ranges', 'Content-Length'] : []
  return [
    ...['Ledgerlake-Snapshot', 'X-Request-Id', ...limitHeaders],
    ...(resource.lookback === undefined ? [] : ['Ledgerlake-From']),
    ...['Ledgerlake-Rows', 'Content-Disposition', ...ofLists, 'Content-Location'],
    ...(hasDays(resource) ? ['Ledgerlake-Missing', 'Ledgerlake-Coverage'] : []),
    ...(identifiersOf(resource).length > 0 ? ['Ledgerlake-Unknown'] : []),
  ]
}

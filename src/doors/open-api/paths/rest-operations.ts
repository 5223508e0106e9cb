import { isObject } from '../../../base/values/json-writer.ts'
import { hasDays } from '../../../catalog/embeddings.ts'
import { identifiersOf } from '../../../catalog/identities.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { isHosted } from '../../contract/hosted-sums.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import type { RestOperation } from '../../contract/operations.ts'
import { MOST_PER_PAGE } from '../../contract/page-parameters.ts'
import { daysRule, earnedRule } from '../../contract/series-meta.ts'
import { formOf } from '../schemas/form-of.ts'
import { recordName, seriesName, totalsName } from '../schemas/record-schemas.ts'
import { exactly, reference, type Schema, withCoverage } from '../schemas/schema.ts'
import { hostedMeanings, hostedSchema } from '../schemas/series-schemas.ts'
import type { DocumentOptions, OperationExample, OperationObject } from './document-types.ts'
import { errorResponses, headerReferences, operationErrors } from './error-responses.ts'
import { parametersFor } from './parameters.ts'

/** Name of the security scheme. */
export const KEY = 'key'

/** Requires a key with features; optional if the server requires no keys. */
export function securityOf(needs: readonly string[], asksKey: boolean): OperationObject['security'] {
  return asksKey ? [{ [KEY]: needs }] : [{ [KEY]: needs }, {}]
}

const replyMeanings: Readonly<Record<RestOperation['kind'], string>> = {
  list: 'A page of the list.',
  find: 'The record.',
  totals: 'The sums.',
  series: 'The series.',
  daily: 'The sums of each day.',
  providers: 'The sums of each provider.',
}

/** Describes an operation of the catalog. */
export function describeOperation(
  operation: RestOperation,
  schemas: Readonly<Record<string, Schema>>,
  { style, examples, asksKey = false }: DocumentOptions,
): OperationObject {
  const { id, kind, path, summary, needs } = operation
  const schema = isHosted(kind)
    ? hostedSchema(operation.resource, kind, schemas[totalsName(operation.resource)])
    : replySchema(operation, style.envelopeOf(operation.rest))
  const liveExample = examples?.get(id)
  const example = liveExample ?? formExample(operation, schema, schemas)
  return {
    operationId: id,
    tags: [areaOf(path)],
    summary,
    description: [meaningOf(operation), needsSentence(needs)].filter((text) => text !== '').join(' '),
    security: securityOf(needs, asksKey),
    parameters: parametersFor(operation, style, example),
    responses: {
      200: {
        description: replyMeanings[kind],
        headers: headersOf(operation),
        content: {
          'application/json': {
            schema,
            examples: {
              reply: {
                summary:
                  liveExample === undefined
                    ? 'The form of a reply.'
                    : 'Results for the examples of the parameters.',
                value: example.reply,
              },
            },
          },
        },
      },
      ...errorResponses(operationErrors(operation), style),
    },
  }
}

/** `/l2/hotspots` -> `L2`. */
function areaOf(path: string): string {
  return (path.split('/')[1] ?? '').toUpperCase()
}

function meaningOf({ kind, resource }: RestOperation): string {
  if (kind === 'totals') return [SUMS_RULE, unsummedNote(resource)].join('')
  if (kind === 'series') return `${SERIES_RULE} ${daysRule(resource)} ${earnedRule(resource)}`
  if (isHosted(kind)) return hostedMeanings[kind]
  if (kind === 'find') return resource.doc
  const steps = resource.order.map(
    ({ column, descending }) => `${column}${descending ? ' (newest first)' : ''}`,
  )
  const filtered = resource.filters === undefined ? '' : ' Filters are exact, and all of them must hold.'
  return `${resource.doc} In the order of ${steps.join(', ')}.${filtered}`
}

const SUMS_RULE = 'The sums over all that matches, exact and of any size; over nothing they are 0.'
const SERIES_RULE =
  'Sums by day, week, month or over the whole range, exact, a row for each step, token and group that has rewards; steps ' +
  'without any are left out. All rows together are the sum of all matches, unless limit cuts groups.'

/** Names the earned columns that totals leave out. */
function unsummedNote({ earned = [], totals = {}, series, rest }: Resource): string {
  const columns = earned.filter((column) => !Object.values(totals).includes(column))
  if (columns.length === 0 || series === undefined) return ''
  return ` As specified, ${columns.join(' and ')} are in no total; ${rest?.path}${series.path} has them, and all pay as earned.`
}

export function needsSentence(needs: readonly string[]): string {
  if (needs.length === 0) return ''
  const noun = needs.length === 1 ? 'the feature' : 'the features'
  return `Where keys are asked for, the key needs ${noun} ${needs.join(' and ')}.`
}

function replySchema({ kind, resource }: RestOperation, envelope: string): Schema {
  if (kind === 'totals') return reference('schemas', totalsName(resource))
  const record = reference('schemas', recordName(resource))
  if (kind === 'find') return record
  if (kind === 'series') {
    const rows = reference('schemas', seriesName(resource))
    const records = {
      type: 'array',
      items: rows,
      description: 'Rows in order of start, token and earnings of the group.',
    }
    const series = exactly({ meta: reference('schemas', `${seriesName(resource)}Meta`), records })
    return hasDays(resource) ? withCoverage(series) : series
  }
  return exactly({
    meta: reference('schemas', 'PageMeta'),
    [envelope]: {
      type: 'array',
      items: record,
      maxItems: MOST_PER_PAGE,
      description: 'The records of this page.',
    },
  })
}

function headersOf({ resource, kind }: RestOperation): Readonly<Record<string, Schema>> {
  const narrowed = resource.lookback !== undefined && kind !== 'find' ? ['Ledgerlake-From'] : []
  const missing = hasDays(resource) && kind !== 'find' && kind !== 'list' ? ['Ledgerlake-Missing'] : []
  const always = ['Ledgerlake-Snapshot', 'X-Request-Id', ...limitHeaders]
  const unknown = kind !== 'find' && identifiersOf(resource).length > 0 ? ['Ledgerlake-Unknown'] : []
  return headerReferences([...always, ...narrowed, ...missing, ...unknown])
}

/** Generates an example with required parameters. */
function formExample(
  { kind, resource }: RestOperation,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
): OperationExample {
  const required = Object.entries(resource.filters ?? {}).filter(([, filter]) => filter.required)
  const times = required.map(([name, { match }]) => [
    name,
    `2026-07-0${match === 'atMost' ? 8 : 1}T00:00:00Z`,
  ])
  const reply = formOf(schema, schemas)
  return {
    parameters: {
      ...(kind === 'find' && { id: '00000000-0000-8000-8000-000000000000' }),
      ...(kind !== 'find' && Object.fromEntries(times)),
      ...(kind === 'list' && { per_page: '1' }),
    },
    reply: isObject(reply) ? reply : {},
  }
}

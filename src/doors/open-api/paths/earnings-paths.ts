import { earningsFormats } from '../../../answers/earnings/earnings-formats.ts'
import { ServiceError } from '../../../base/errors.ts'
import { TIME_ZONE_PATTERN } from '../../../catalog/query/calendar.ts'
import { locales } from '../../../catalog/spreadsheet-locale.ts'
import {
  earningsNeeds,
  earningsParameters,
  earningsPath,
  earningsQuery,
} from '../../contract/earnings-query.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import { missingFeatures } from '../../contract/missing-features.ts'
import type {
  Described,
  DocumentOptions,
  OpenApiDocument,
  OperationObject,
  Parameter,
} from './document-types.ts'
import { caughtError, errorResponses, headerReferences } from './error-responses.ts'
import { contentsOf } from './file-operations.ts'
import { anyText, daySchema, snapshotName } from './parameter-texts.ts'
import { hotspotKeysBody, postOperation } from './post-operation.ts'
import { needsSentence, securityOf } from './rest-operations.ts'

const schemas: Readonly<Record<string, Described['schema']>> = {
  first_day: daySchema,
  last_day: daySchema,
  tz: { type: 'string', pattern: TIME_ZONE_PATTERN, default: 'UTC' },
  locale: { type: 'string', enum: locales },
  format: { type: 'string', enum: earningsFormats.map(({ name }) => name), default: 'csv' },
}

const MEANING =
  'What the hotspots of an owner, or given hotspots, earned on each day: a row for each day, hotspot, network and token, with the amount in whole tokens, its price and USD. ' +
  'A day without pay has a row as well, whose state tells nothing earned from missing data.'

/** Describes the file of earnings by day and hotspot. */
export function earningsPaths({
  prefix,
  style,
  examples,
  asksKey = false,
}: DocumentOptions): OpenApiDocument['paths'] {
  const live = examples?.get('get-hotspots')?.parameters.owner
  const example: Readonly<Record<string, string>> = {
    ...(live !== undefined && { owner: live }),
    first_day: '2025-02',
    last_day: '2025-02',
  }
  const parameters = Object.entries(earningsParameters).map(([name, description]): Parameter => {
    if (name === 'as_of') return { name, in: 'query', allowEmptyValue: true, ...snapshotName }
    const isRequired = name === 'first_day' || name === 'last_day'
    const use = isRequired ? { required: true as const } : { allowEmptyValue: true as const }
    const value = example[name]
    return {
      ...{ name, in: 'query', description, ...use, schema: schemas[name] ?? anyText },
      ...(value !== undefined && { example: value }),
    }
  })
  const refusal = caughtError(() => earningsQuery({ first_day: '2025-02', last_day: '2025-02' }))
  const absent = new ServiceError('not_found', 'Owner not found')
  const headers = [
    ...['Ledgerlake-Snapshot', 'X-Request-Id', ...limitHeaders, 'Ledgerlake-From', 'Ledgerlake-Rows'],
    ...['Content-Disposition', 'Ledgerlake-Missing', 'Ledgerlake-Unknown'],
  ]
  const get: OperationObject = {
    ...{ operationId: 'get-earnings-file', tags: ['L2'] },
    summary: 'Earnings of hotspots by day, as a file',
    description: `${MEANING} ${needsSentence(earningsNeeds)}`,
    security: securityOf(earningsNeeds, asksKey),
    parameters,
    responses: {
      200: {
        description: 'The file.',
        headers: headerReferences(headers),
        content: contentsOf(earningsFormats),
      },
      ...errorResponses([absent, ...missingFeatures(earningsNeeds), refusal], style),
    },
  }
  const body = { ...hotspotKeysBody, replaced: [...hotspotKeysBody.replaced, 'owner'] }
  const summary = 'Earnings of many hotspots by day, as a file'
  return { [prefix + earningsPath]: { get, post: postOperation({ ...get, summary }, body, style) } }
}

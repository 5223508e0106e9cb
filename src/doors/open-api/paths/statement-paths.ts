import { csvNames } from '../../../answers/statement/csv-files.ts'
import { ServiceError } from '../../../base/errors.ts'
import { TIME_ZONE_PATTERN } from '../../../catalog/query/calendar.ts'
import { locales } from '../../../catalog/spreadsheet-locale.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import { missingFeatures } from '../../contract/missing-features.ts'
import { specifiedQueries } from '../../contract/query-schema.ts'
import { statementLists } from '../../contract/statement-body.ts'
import {
  statementFormats,
  statementNeeds,
  statementParameters,
  statementPath,
  statementQuery,
} from '../../contract/statement-query.ts'
import { reference, type Schema } from '../schemas/schema.ts'
import type {
  Described,
  DocumentOptions,
  OpenApiDocument,
  OperationObject,
  Parameter,
} from './document-types.ts'
import { caughtError, errorResponses, headerReferences } from './error-responses.ts'
import { anyText, daySchema, snapshotName, someText } from './parameter-texts.ts'
import { postOperation, textList } from './post-operation.ts'
import { needsSentence, securityOf } from './rest-operations.ts'

const patterns: Readonly<Record<string, Described['schema']>> = {
  owner: someText,
  year: { type: 'string', pattern: '^20[0-9]{2}$' },
  from: { type: 'string', format: 'date' },
  to: { type: 'string', format: 'date' },
  first_day: daySchema,
  last_day: daySchema,
  tz: { type: 'string', pattern: TIME_ZONE_PATTERN, default: 'UTC' },
  format: { type: 'string', enum: statementFormats, default: 'csv' },
  locale: { type: 'string', enum: locales },
}

export function statementPaths({
  prefix,
  style,
  examples,
  asksKey = false,
}: DocumentOptions): OpenApiDocument['paths'] {
  const liveOwner = examples?.get('get-hotspots')?.parameters.owner
  const parameters = Object.entries(statementParameters).map(([name, description]): Parameter => {
    if (name === 'owner')
      return {
        name,
        in: 'query',
        description,
        required: true,
        schema: someText,
        example: liveOwner ?? 'owner',
      }
    if (name === 'as_of') return { name, in: 'query', allowEmptyValue: true, ...snapshotName }
    const parameter = {
      name,
      in: 'query',
      description,
      allowEmptyValue: true,
      schema: patterns[name] ?? anyText,
    } as const
    return name === 'year' ? { ...parameter, example: '2025' } : parameter
  })
  const refusal = caughtError(() =>
    statementQuery({ owner: 'owner', year: '25' }, true, specifiedQueries.refusesUnknown),
  )
  const lacking = missingFeatures(statementNeeds)
  const absent = new ServiceError('not_found', 'Owner not found')
  const operation = (
    operationId: string,
    summary: string,
    description: string,
    operationParameters: readonly Parameter[],
    reply: [string, string, Schema],
  ): OperationObject => ({
    ...{ operationId, tags: ['L2'], summary, description: `${description} ${needsSentence(statementNeeds)}` },
    security: securityOf(statementNeeds, asksKey),
    parameters: operationParameters,
    responses: {
      200: {
        description: reply[0],
        headers: headerReferences([
          'Ledgerlake-Snapshot',
          'X-Request-Id',
          ...limitHeaders,
          'Ledgerlake-From',
        ]),
        content: { [reply[1]]: { schema: reply[2] } },
      },
      ...errorResponses([absent, ...lacking, refusal], style),
    },
  })
  const csv: Schema = {
    type: 'string',
    contentMediaType: 'text/csv',
    description: 'Lines of rewards under a header.',
  }
  const id: Parameter = {
    ...{
      name: 'id',
      in: 'path',
      description: `Name of the file: ${csvNames.join(', ')}.`,
    },
    ...{ required: true, schema: someText, example: 'rewards-hnt.csv' },
  }
  const body = {
    lists: {
      owners: textList('Addresses of wallets, in place of owner.', statementLists.owners),
      hotspot_keys: textList(
        'Hotspots with the days on which they were held, each a line of the keys file of the command: key or name[,bought DAY][,sold DAY]. With owners they limit the days of these hotspots.',
        statementLists.hotspot_keys,
      ),
      prices: textList(
        'Prices in one currency, each a line: day,token,currency,price. The CSV and the sums then have values at these prices too.',
        statementLists.prices,
      ),
    },
    example: {
      summary: 'Two hotspots, one of which was sold, in euros.',
      value: {
        hotspot_keys: [
          '14q5U9DF9T4jQG5JYbYTGYVwUBbc1jSJTfpjB9Ah2v1vKAiFQaD,sold 2025-06-30',
          '112EuswcNwR5kRKPxeCADFGNH3EYuyrkgSjXsxnXTrxxLQfc1qh2',
        ],
        prices: ['2025-02-14,HNT,EUR,2.4183'],
      },
    },
    replaced: ['owner'],
  }
  const both = (get: OperationObject, summary: string) => ({
    get,
    post: postOperation({ ...get, summary }, body, style),
  })
  return {
    [prefix + statementPath]: both(
      operation(
        'get-statement',
        'Statement of an owner, which ties out with totals',
        'Pay of the hotspots of an owner by L2, and of its account by L1, on days of a time zone: by token and month, with missing data and links to a CSV for each token. Amounts are text.',
        parameters,
        ['The statement.', 'application/json', reference('schemas', 'Statement')],
      ),
      'Statement of owners and hotspots with their days, at own prices',
    ),
    [`${prefix}${statementPath}/{id}`]: both(
      operation(
        'get-statement-file',
        'The rewards of a statement in one token, as CSV',
        'The file that the statement links.',
        [id, ...parameters],
        ['The file.', 'text/csv', csv],
      ),
      'The rewards of such a statement in one token, as CSV',
    ),
  }
}

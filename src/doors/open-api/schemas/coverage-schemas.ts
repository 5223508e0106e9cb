import type { Coverage, EpochRun, FewNames } from '../../../answers/coverage/coverage.ts'
import { type DocumentForms, isoInstant } from './reply-forms.ts'
import {
  booleanSchema,
  countSchema,
  described,
  exactly,
  integerSchema,
  listSchema,
  orNull,
  reference,
  type Schema,
  schemaIn,
  textSchema,
} from './schema.ts'

const date: Schema = { type: 'string', format: 'date', examples: ['2025-02-08'] }
const days = (description: string) => listSchema(reference('schemas', 'DayRun'), description)

const unlessLedger = (schema: Schema): Schema => ({
  anyOf: [schema, { type: 'null' }],
  description: 'null on L1, where it cannot be known.',
})

const names = (description: string) =>
  exactly<FewNames>(
    {
      count: countSchema('Number of files.'),
      names: listSchema({ type: 'string' }, 'The first names, at most 100.'),
    },
    description,
  )

/** Schemas of coverage and status, by name. Dialects do not change their times. */
export function coverageSchemas({
  integers,
}: Pick<DocumentForms, 'integers'>): Readonly<Record<string, Schema>> {
  const coverage = exactly<Coverage>(
    {
      from: described(isoInstant, 'Start of the range.'),
      to: described(isoInstant, 'End of the range, included.'),
      epochs: exactly<Coverage['epochs']>({
        expected: countSchema('Days of the range that had ended at the newest commit.'),
        present: countSchema('Days with data.'),
        newest: described(orNull(date), 'The last day with data, whatever the range; null without any.'),
        missing: days('Days without data.'),
        incomplete: unlessLedger(days('Days without a file that a manifest names.')),
        late: unlessLedger(days('Days with a file that came after a later day.')),
        unreadable: unlessLedger(days('Days with older files that this program does not read.')),
      }),
      manifests: unlessLedger(
        exactly<NonNullable<Coverage['manifests']>>({
          missing: days('Days with a file that no manifest names.'),
        }),
      ),
      files: unlessLedger(
        exactly<NonNullable<Coverage['files']>>({
          missing: names('Files that a manifest names and that are not in.'),
          without_manifest: names('Files that are in and that no manifest names.'),
          unreadable: names('Files that a manifest names and that this program does not read.'),
        }),
      ),
      tokens: listSchema({ type: 'string' }, 'Tokens that the manifests of the range name.'),
      mixes_tokens: booleanSchema(
        'True with several tokens: sums over the range add up amounts of different tokens.',
      ),
    },
    'How complete a table is over a range. A row belongs to the day with the middle of its period. On L1 it belongs to the UTC day of its block: a day ' +
      'from the first to the last of the ledger without any row is missing; whether a day has all its rows cannot be known, since no manifest names the files of the archive.',
  )
  const fromServed = described(
    isoInstant,
    'Start of the served range if the key may not look back as far as from; otherwise null.',
  )
  const period = described(orNull(isoInstant), 'End of the period; null without periods.')
  return {
    DayRun: exactly<EpochRun>(
      { first: date, last: date, days: countSchema('Number of days.') },
      'Days one after the other; the first and the last are included.',
    ),
    Coverage: {
      ...coverage,
      properties: { ...schemaIn(coverage.properties), from_served: fromServed },
    },
    Status: {
      ...exactly(
        {
          snapshot: textSchema('Id of the snapshot.'),
          tables: listSchema(
            exactly({
              table: textSchema('Name of the table.'),
              rows: described(integerSchema(integers, 'whole'), 'Rows that it has.'),
              sources: countSchema('Files that it was filled from.'),
              refused: countSchema('Messages that could not be rows.'),
              first_period: period,
              last_period: period,
              coverage: {
                anyOf: [reference('schemas', 'Coverage'), { type: 'null' }],
                description: 'From its first day to the last of any table; null for a table without days.',
              },
            }),
            'The tables that exist.',
          ),
          unreadable: listSchema(
            { type: 'string' },
            'Damaged tables, which `tables` leaves out; coverage that needs them is null. Missing if no table is damaged.',
          ),
          sources: listSchema(
            exactly({
              done_at: described(orNull(isoInstant), 'When it was last fetched whole; null if it never was.'),
              is_failing: booleanSchema('Whether the newest try failed.'),
              refused: countSchema('Files that could not be ingested.'),
              missing: countSchema('Files that manifests name and the source lacks.'),
            }),
            'Sources that the lake is synchronized with, and their delay. Missing without sources and with as_of.',
          ),
        },
        'Tables of the lake, and how complete they are.',
      ),
      required: ['snapshot', 'tables'],
    },
  }
}

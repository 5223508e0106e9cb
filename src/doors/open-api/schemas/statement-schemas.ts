import type { MissingInStatement } from '../../../answers/statement/missing.ts'
import { listWords } from '../../../base/list-words.ts'
import { mainToken, networkIds, networkSymbols } from '../../../catalog/networks.ts'
import { locales } from '../../../catalog/spreadsheet-locale.ts'
import { booleanSchema, countSchema, exactly, listSchema, orNull, type Schema, textSchema } from './schema.ts'

const day = (description: string): Schema => ({ type: 'string', format: 'date', description })
const digits = (description: string): Schema => ({ type: 'string', pattern: '^[0-9]+$', description })
const bones = (description: string) => digits(`${description}, in bones, as text.`)

const run = { first: day('First day.'), last: day('Last day, included.') }
const network = textSchema(`${listWords(networkIds, 'or')}.`)
const token = textSchema(
  `${listWords([mainToken.symbol, ...networkSymbols], 'or')}; unknown- and the network without a manifest.`,
)

const sum = {
  rows: countSchema('Rewards.'),
  earned: bones('Paid'),
  formatted_earned: orNull(textSchema('The same in whole tokens; null while the token is unknown.')),
  usd: orNull(textSchema('USD at the oracle price at reward time; null when a price is unknown.')),
  usd_of_priced: textSchema('USD of the earnings with a price.'),
  earned_without_price: bones('Earned without a price'),
}

const paid = {
  rows: sum.rows,
  earned: sum.earned,
  formatted_earned: textSchema('The same in HNT.'),
}

const sums: Schema = {
  type: 'object',
  additionalProperties: digits('A sum.'),
  description: 'Sums by name, as text.',
}

const tie = {
  network: textSchema(`${listWords([...networkIds, 'l1'], 'or')}.`),
  path: textSchema(
    'Path of the totals. For L1 the path of the series with interval=all and account_address, or gateway_address if keys are given.',
  ),
  account_address: orNull(textSchema('Account that L1 paid; null for the pay of hotspots.')),
  from: textSchema('`from` of the totals.'),
  to: textSchema('`to` of the totals.'),
  totals: { ...sums, description: 'Response of the totals operation to these parameters, for each hotspot.' },
  left_out: { ...sums, description: 'Pay of hotspots that no total counts.' },
  only_in_totals: bones('Counted by the totals, on days outside the statement'),
  only_here: bones('Counted by the statement, with an end outside that range'),
  earned: bones('Paid on the days of the statement'),
}

/** Members of sums at the prices that were given. */
const values = {
  value: orNull(textSchema('At the prices that were given; null when one is missing.')),
  value_of_priced: textSchema('Value of the earnings with such a price.'),
}
const ofValues = { ...values, earned_without_value: bones('Earned without such a price') }

/** Schema of an object whose `optional` members may be absent. */
function withOptional(
  members: Readonly<Record<string, Schema>>,
  description: string | undefined,
  optional: Readonly<Record<string, Schema>>,
): Schema {
  const schema = exactly(members, description)
  return { ...schema, properties: { ...members, ...optional } }
}

export const statementSchemas: Readonly<Record<string, Schema>> = {
  Statement: withOptional(
    {
      from_served: orNull(
        day('First served day if the key may not look back as far as from; otherwise null.'),
      ),
      missing: exactly<MissingInStatement>({
        days: listSchema(exactly({ network, ...run }), 'Days without any reward in the lake.'),
        files: listSchema(exactly({ network, ...run }), 'Days without a file that a manifest names.'),
        manifests: listSchema(exactly({ network, ...run }), 'Days with files that no manifest names.'),
        prices: listSchema(exactly({ token, ...run }), 'Days with earnings without a price.'),
        unknown_keys: listSchema({ type: 'string' }, 'Given keys and names that no table has.'),
        l1_rewards: booleanSchema('Whether rewards of L1 are asked for and none are in.'),
      }),
      owners: listSchema(
        exactly({
          owner: textSchema('Address of the owner, as L2 spells it.'),
          account_address: textSchema('The same as L1 spells it: the account whose pay is stated.'),
        }),
        'Owners of the rewards.',
      ),
      from: day('First day.'),
      to: day('Last day, included.'),
      tz: textSchema('Time zone of the days.'),
      notes: listSchema({ type: 'string' }, 'Notes for readers.'),
      tokens: listSchema(
        withOptional(
          {
            token,
            decimals: {
              ...orNull({ type: 'integer', format: 'int32' }),
              description: 'Digits after the point of a token.',
            },
            ...sum,
            months: listSchema(
              withOptional({ month: textSchema('As in 2025-07.'), ...sum }, undefined, ofValues),
              'The same by month.',
            ),
          },
          undefined,
          ofValues,
        ),
        'Earnings by token.',
      ),
      all_tokens: withOptional(
        { rows: sum.rows, usd: sum.usd, usd_of_priced: sum.usd_of_priced },
        undefined,
        values,
      ),
      totals: listSchema(
        exactly({ ...tie, hotspots: countSchema('Hotspots.') }),
        'How it ties out with totals, over all hotspots.',
      ),
      l1: exactly({
        ...paid,
        accounts: listSchema(
          exactly({
            account_address: orNull(textSchema('Account that was paid.')),
            is_stated: booleanSchema('False for an account other than the account of the owner.'),
            hotspots: countSchema('Gateways that it was paid for.'),
            ...paid,
          }),
          'Accounts that L1 paid.',
        ),
        other_gateways: listSchema(
          exactly({
            gateway_address: textSchema('Gateway that is not a hotspot of the statement; 1Wh4bh for none.'),
            hotspot_name: orNull(textSchema('Name.')),
            ...paid,
          }),
          'Pay of the account for other gateways.',
        ),
      }),
      hotspots: listSchema(
        exactly({
          hotspot_key: textSchema('Key.'),
          hotspot_name: orNull(textSchema('Name now.')),
          from: day('First day.'),
          to: day('Last day, included.'),
          rows: countSchema('Rewards.'),
          totals: listSchema(exactly(tie), 'How each network ties out.'),
          earned_on_l1: bones('Paid by L1 for it, to the account of the owner'),
        }),
        'Each hotspot.',
      ),
      snapshot: textSchema('Id of the snapshot.'),
      digest: textSchema('SHA-256 of the summary, which has the SHA-256 of each file.'),
      files: listSchema(
        exactly({
          name: textSchema('Name.'),
          token,
          rows: countSchema('Lines without the header.'),
          bytes: countSchema('Size.'),
          sha256: textSchema('SHA-256 of the file.'),
          href: textSchema('Address of the file, in the same snapshot.'),
        }),
        'A CSV for each token.',
      ),
    },
    'Pay of an owner: by L2 for its hotspots, by L1 to its account.',
    {
      locale: { type: 'string', enum: locales, description: 'Language of the CSV files, if one was given.' },
      prices: exactly(
        {
          currency: textSchema('As in EUR.'),
          source: textSchema('Name of the prices.'),
          sha256: textSchema('SHA-256 of their lines.'),
          lines: countSchema('Number of prices.'),
          missing: listSchema(exactly({ token, ...run }), 'Days with earnings without such a price.'),
        },
        'Prices that were given; sums then have a value at them.',
      ),
    },
  ),
}

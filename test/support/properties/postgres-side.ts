import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Postgres } from '../../../bench/support/postgres.ts'
import { spell } from '../exact-json.ts'
import { firstDifference } from '../first-difference.ts'
import { amountsOf, type Network } from '../network/reward-types.ts'
import type { ShareFile } from '../network/shares.ts'
import { answerTo, pageOf, sumsOf } from './model.ts'
import type { ShareRequest } from './queries.ts'

/** The same questions to PostgreSQL, over the same plain values; it never sees a file of ours. */

/** reward / price / 0.5 * 2^30, rounded half up: div cuts. */
const bytes = 'div(2 * 2147483648 * dc_transfer_reward + price, 2 * price)'
const rewarded = "reward_type IN ('gateway_reward', 'radio_reward')"

/** Compares what PostgreSQL answers with the model. Errors: the first difference. */
export function comparePostgres(
  postgres: Postgres,
  files: readonly ShareFile[],
  requests: readonly ShareRequest[],
): void {
  for (const network of ['iot', 'mobile'] as const) fill(postgres, network, files)
  const lines = postgres.run(requests.map(sqlOf).join('\n')).split('\n').slice(0, -1)
  if (lines.length !== requests.length) throw new Error(`${lines.length} answers of ${requests.length}`)
  for (const [place, request] of requests.entries()) {
    const [line = '', expected] = [lines[place], lineOf(files, request)]
    if (line !== expected)
      throw new Error(`PostgreSQL, ${spell(request)}: ${firstDifference(line, expected)}`)
  }
}

/** The right line for a request: its sums in the order of the totals, or the shares of its page. */
function lineOf(files: readonly ShareFile[], request: ShareRequest): string {
  if (request.verb === 'totals') return Object.values(answerTo(files, request)).join('|')
  return pageOf(files, request)
    .map(({ network, file, ordinal, amounts }) =>
      [file, ordinal, ...amountsOf(network).map((column) => amounts[column] ?? '')].join(':'),
    )
    .join(' ')
}

function fill(postgres: Postgres, network: Network, files: readonly ShareFile[]): void {
  const columns = amountsOf(network).map((column) => `${column} numeric(20)`)
  const rows = files
    .filter((file) => file.network === network)
    .flatMap(({ shares, manifests }) =>
      shares.map(({ end, type, hotspot, file, ordinal, amounts }) => [
        ...[end, type, hotspot ?? '', file, ordinal, manifests.at(-1)?.price || ''],
        ...amountsOf(network).map((name) => amounts[name] ?? ''),
      ]),
    )
  const path = join(postgres.exchange, `${network}.csv`)
  writeFileSync(path, rows.map((row) => `${row.join(',')}\n`).join(''))
  postgres.run(`
    CREATE TABLE ${network} (end_second bigint, reward_type text, hotspot_key text, source_file text, ordinal bigint,
      price numeric(20), ${columns.join(', ')});
    COPY ${network} FROM '${path}' (FORMAT csv);
    CREATE INDEX ON ${network} (hotspot_key);
    CREATE INDEX ON ${network} (end_second, reward_type, source_file, hotspot_key NULLS FIRST, ordinal);
    VACUUM ANALYZE ${network};`)
}

function sqlOf({ verb, query: { network, from, to, hotspot, type }, page, perPage }: ShareRequest): string {
  const terms = [`end_second * 1000000 BETWEEN ${from} AND ${to}`]
  if (hotspot !== undefined) terms.push(`hotspot_key = '${hotspot}'`)
  if (type !== undefined) terms.push(`reward_type = '${type}'`)
  const where = terms.join(' AND ')
  if (verb === 'list') {
    const facets = amountsOf(network).map((column) => `coalesce(${column}::text, '')`)
    const line = ['source_file', 'ordinal', ...facets].join(` || ':' || `)
    const order = 'end_second, reward_type, source_file, hotspot_key NULLS FIRST, ordinal'
    return `SELECT coalesce(string_agg(${line}, ' ' ORDER BY ${order}), '') FROM
      (SELECT * FROM ${network} WHERE ${where} ORDER BY ${order} LIMIT ${perPage} OFFSET ${(page - 1) * perPage}) page;`
  }
  const sums = Object.keys(sumsOf(network, [])).map((name) => {
    const column = name.replace('total_', '')
    const value = column === 'offloaded_bytes' ? `CASE WHEN ${rewarded} THEN ${bytes} END` : column
    return `coalesce(sum(${value}), 0)`
  })
  return `SELECT ${sums.join(', ')} FROM ${network} WHERE ${where};`
}

import pg from 'pg'
import { pageText } from './pg-json.mjs'

/** `/original/...`: what the original asks, in its words and with values in the text, of its one table. */

const shown = `reward_type, unallocated_reward_type, hotspot_key, beacon_amount, witness_amount, dc_transfer_amount, amount`

function whereOf({ from, to, hotspot_key, reward_type }) {
  const literal = (text) => pg.escapeLiteral(text)
  const time = (text) => literal(text.replace('T', ' ').replace('Z', ''))
  const terms = [`end_period BETWEEN ${time(from)} AND ${time(to)}`]
  if (hotspot_key !== undefined) terms.push(`hotspot_key = ${literal(hotspot_key)}`)
  if (reward_type !== undefined) terms.push(`reward_type = ${literal(reward_type)}`)
  return terms.join(' AND ')
}

export function original(pool, sums) {
  const rowsOf = async (text) => (await pool.query(text)).rows
  return {
    async totals(query) {
      return (
        await pool.query({ text: `SELECT ${sums} FROM original WHERE ${whereOf(query)}`, rowMode: 'array' })
      ).rows[0]
    },
    async list(query, page, perPage) {
      const where = whereOf(query)
      const rows = await rowsOf(
        `SELECT id, start_period, end_period, ${shown} FROM original WHERE ${where} LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`,
      )
      const [{ count }] = await rowsOf(`SELECT count(*) FROM original WHERE ${where}`)
      return pageText(
        'records',
        Number(count),
        page,
        perPage,
        rows.map((row) => JSON.stringify(row)),
      )
    },
  }
}

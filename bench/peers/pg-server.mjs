import { availableParallelism } from 'node:os'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * PostgreSQL behind the same kind of HTTP server: HOST USER. `/original/...` asks what the original asks, in its words and with
 * values in the text; `/strong/...` what one would ask of tables made for it. Amounts are written as the digits that come.
 */
const [host, user] = process.argv.slice(2)
const pool = new pg.Pool({ host, user, database: 'postgres', max: 8 * availableParallelism() })
const app = Fastify()

const shown = `reward_type, unallocated_reward_type, hotspot_key, beacon_amount, witness_amount, dc_transfer_amount, amount`
const amounts = ['beacon_amount', 'witness_amount', 'dc_transfer_amount', 'amount']
const sums = amounts.map((column) => `coalesce(sum(${column}), 0) AS total_${column}`).join(', ')
const path = '/v1/net/l2/iot-reward-shares'

/** A body as the server under comparison writes it. */
function totalsText(row) {
  return `{${amounts.map((column) => `"total_${column}":${row[`total_${column}`]}`).join(',')}}`
}

function listText(total, page, perPage, rows) {
  const pages = Math.max(1, Math.ceil(Number(total) / perPage))
  const meta = {
    count: rows.length,
    total_pages: pages,
    current_page: page,
    next_page: page < pages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
  }
  return JSON.stringify({ meta, records: rows })
}

function routes(prefix, { totals, list }) {
  app.get(`${prefix}${path}/totals`, async (request, reply) => {
    reply.type('application/json; charset=utf-8')
    return totalsText(await totals(request.query))
  })
  app.get(`${prefix}${path}`, async (request, reply) => {
    const [page, perPage] = [Number(request.query.page ?? 1), Number(request.query.per_page ?? 25)]
    const { total, rows } = await list(request.query, perPage, (page - 1) * perPage)
    reply.type('application/json; charset=utf-8')
    return listText(total, page, perPage, rows)
  })
}

const rowsOf = async (text, values) => (await pool.query(text, values)).rows

function originalWhere({ from, to, hotspot_key, reward_type }) {
  const literal = (text) => pg.escapeLiteral(text)
  const time = (text) => literal(text.replace('T', ' ').replace('Z', ''))
  const terms = [`end_period BETWEEN ${time(from)} AND ${time(to)}`]
  if (hotspot_key !== undefined) terms.push(`hotspot_key = ${literal(hotspot_key)}`)
  if (reward_type !== undefined) terms.push(`reward_type = ${literal(reward_type)}`)
  return terms.join(' AND ')
}

routes('/original', {
  totals: async (query) => (await rowsOf(`SELECT ${sums} FROM original WHERE ${originalWhere(query)}`))[0],
  async list(query, limit, offset) {
    const where = originalWhere(query)
    const page = `SELECT id, start_period, end_period, ${shown} FROM original WHERE ${where} LIMIT ${limit} OFFSET ${offset}`
    const rows = await rowsOf(page)
    const [{ count }] = await rowsOf(`SELECT count(*) FROM original WHERE ${where}`)
    return { total: count, rows }
  },
})

/** Terms and values of a range; a reward_type too, and a hotspot where the table knows it. */
function strongWhere({ from, to, hotspot_key, reward_type }) {
  const values = [from, to]
  const terms = ['end_period BETWEEN $1 AND $2']
  for (const [column, value] of Object.entries({ hotspot_key, reward_type })) {
    if (value === undefined) continue
    values.push(value)
    terms.push(`${column} = $${values.length}`)
  }
  return { where: terms.join(' AND '), values }
}

const order = 'end_period, reward_type, source_file, hotspot_key NULLS FIRST, ordinal'

routes('/strong', {
  async totals(query) {
    const { where, values } = strongWhere(query)
    const table = query.hotspot_key === undefined ? 'strong_days' : 'strong'
    return (await rowsOf(`SELECT ${sums} FROM ${table} WHERE ${where}`, values))[0]
  },
  async list(query, limit, offset) {
    const { where, values } = strongWhere(query)
    const columns = `start_period, end_period, ${shown}`
    if (query.hotspot_key !== undefined) {
      const page = `SELECT ${columns} FROM strong WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`
      const rows = await rowsOf(page, values)
      const [{ count }] = await rowsOf(`SELECT count(*) FROM strong WHERE ${where}`, values)
      return { total: count, rows }
    }
    // The sums of each day also say on which day a page begins.
    const days = await rowsOf(
      `SELECT end_period::text, reward_type, rows FROM strong_days WHERE ${where} ORDER BY end_period, reward_type`,
      values,
    )
    const total = days.reduce((count, day) => count + Number(day.rows), 0)
    let before = 0
    const begin = days.find((day) => {
      if (before + Number(day.rows) > offset) return true
      before += Number(day.rows)
      return false
    })
    if (begin === undefined) return { total, rows: [] }
    const from = values.length + 1
    const page = `SELECT ${columns} FROM strong WHERE ${where} AND (end_period, reward_type) >= ($${from}, $${from + 1})
      ORDER BY ${order} LIMIT ${limit} OFFSET ${offset - before}`
    return { total, rows: await rowsOf(page, [...values, begin.end_period, begin.reward_type]) }
  },
})

await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`listens at http://127.0.0.1:${app.server.address().port}/`)
process.once('SIGTERM', () => process.exit(0))

import { pageText } from './pg-json.mjs'
import { columnsOf, recordWriter, tables } from './pg-ledger-tables.mjs'

/** Lookups and lists of the ledger and of hotspots. */

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export function ledgerRoutes(app, prefix, rowsOf) {
  for (const [table, declared] of Object.entries(tables)) {
    const facts = { ...declared, columns: columnsOf(declared), write: recordWriter(declared) }
    const { path, keys } = facts
    const address = `${prefix}/v1/net${path}`
    app.get(address, async (request, reply) => {
      const text = await pageOf(rowsOf, table, facts, request.query)
      reply.type('application/json; charset=utf-8')
      return text
    })
    if (keys === undefined) continue
    const found = finderOf(rowsOf, table, facts)
    app.get(`${address}/:id`, async (request, reply) => {
      const text = await found(request.params.id)
      reply.code(text === undefined ? 404 : 200).type('application/json; charset=utf-8')
      return text ?? '{}'
    })
  }
}

function finderOf(rowsOf, table, { keys, columns, write }) {
  const select = `SELECT ${columns} FROM ${table}`
  const byId = `${select} WHERE id = $1`
  const byKey = `${keys.map((key) => `${select} WHERE ${key} = $1`).join(' UNION ALL ')} LIMIT 1`
  return async (id) => {
    const [row] = await rowsOf(UUID.test(id) ? byId : byKey, [id])
    return row && write(row)
  }
}

/** A page and the exact number of rows, which is counted apart when the page does not show the end of the list. */
async function pageOf(
  rowsOf,
  table,
  { columns, order, envelope, write },
  { page = 1, per_page = 25, ...filters },
) {
  const [number, perPage] = [Number(page), Number(per_page)]
  const offset = (number - 1) * perPage
  const terms = []
  const values = []
  for (const [name, value] of Object.entries(filters)) {
    values.push(name === 'from' || name === 'to' ? secondsOf(name, value) : value)
    terms.push(`${{ from: 'time >=', to: 'time <=' }[name] ?? `${name} =`} $${values.length}`)
  }
  const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`
  const from = `FROM ${table} ${where}`
  const rows = await rowsOf(
    `SELECT ${columns} ${from} ORDER BY ${order} LIMIT ${perPage} OFFSET $${values.length + 1}`,
    [...values, offset],
  )
  const isEnd = rows.length < perPage && (rows.length > 0 || offset === 0)
  const total = isEnd ? offset + rows.length : Number((await rowsOf(`SELECT count(*) ${from}`, values))[0][0])
  return pageText(envelope, total, number, perPage, rows.map(write))
}

/** Both ends of a range are included. */
function secondsOf(name, instant) {
  const seconds = Date.parse(instant) / 1000
  return name === 'from' ? Math.ceil(seconds) : Math.floor(seconds)
}

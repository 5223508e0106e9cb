import { availableParallelism } from 'node:os'
import Fastify from 'fastify'
import pg from 'pg'
import { ledgerRoutes } from './pg-ledger.mjs'
import { openRows } from './pg-rows.mjs'
import { strong } from './pg-strong.mjs'

/**
 * PostgreSQL behind the same kind of HTTP server: HOST USER. `/strong/...` queries tables made for these requests, and returns
 * the same bytes as the server under comparison.
 */
const [host, user] = process.argv.slice(2)
const pool = new pg.Pool({ host, user, database: 'postgres', max: 8 * availableParallelism() })
// Keys of some hotspots are longer than parameters usually are.
const app = Fastify({ routerOptions: { maxParamLength: 1000 } })

const amounts = ['beacon_amount', 'witness_amount', 'dc_transfer_amount', 'amount']
const sums = amounts.map((column) => `coalesce(sum(${column}), 0)`).join(', ')
const path = '/v1/net/l2/iot-reward-shares'

function shareRoutes(prefix, { totals, list }) {
  app.get(`${prefix}${path}/totals`, async (request, reply) => {
    const row = await totals(request.query)
    reply.type('application/json; charset=utf-8')
    return `{${amounts.map((column, at) => `"total_${column}":${row[at]}`).join(',')}}`
  })
  app.get(`${prefix}${path}`, async (request, reply) => {
    const { page = 1, per_page = 25 } = request.query
    const text = await list(request.query, Number(page), Number(per_page))
    reply.type('application/json; charset=utf-8')
    return text
  })
}

const rowsOf = openRows(pool)
shareRoutes('/strong', strong(rowsOf, sums))
ledgerRoutes(app, '/strong', rowsOf)

await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`listens at http://127.0.0.1:${app.server.address().port}/`)
process.once('SIGTERM', () => process.exit(0))

import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

/** PostGraphile over the tables of a PostgreSQL: HOST USER, and the connections of its pool if not the default. */
const [host, user, max] = process.argv.slice(2)
const poolConfig = { host, user, database: 'postgres', ...(max && { max: Number(max) }) }
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ poolConfig, schemas: ['public'] })],
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
})
const server = createServer()
await instance.createServ(grafserv).addTo(server)
server.listen(0, '127.0.0.1', () => console.log(`listens at http://127.0.0.1:${server.address().port}/`))
process.once('SIGTERM', () => process.exit(0))

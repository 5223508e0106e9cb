import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from '../bench/support/free-port.ts'
import { program, runToEnd, startServing } from '../bench/support/program.ts'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { runClient } from '../test/support/clients/run-client.ts'
import { expectedAnswers, postgresClients } from '../test/support/postgres-clients/postgres-clients.ts'

/**
 * Asks a server by drivers of PostgreSQL in seven languages, with a key as password: npm run test:long -- postgres-clients --only psql,pgx
 * --at HOST:PORT/DATABASE asks a server of PostgreSQL instead, with the user and password of PGUSER and PGPASSWORD; it shows that the programs are right.
 * Drivers come from npm, PyPI, the Go module proxy, Maven Central and crates.io into a temporary folder; a client whose programs
 * are missing is skipped. Exit code 1 when one fails.
 */

const { values } = parseArgs({ options: { only: { type: 'string' }, at: { type: 'string' } } })
const chosen = postgresClients.filter(
  ({ name }) => values.only?.split(',').some((part) => name.includes(part)) ?? true,
)
if (chosen.length === 0)
  throw new Error(
    `--only is ${values.only}; use parts of ${postgresClients.map(({ name }) => name).join(', ')}`,
  )

const sources = fileURLToPath(new URL('../test/support/postgres-clients/', import.meta.url))
const fixtures = fileURLToPath(new URL('../test/fixtures/small', import.meta.url))
const work = temporaryFolder()
const stop = await (values.at === undefined ? serveFixtures() : pointAt(values.at))
for (const client of chosen) {
  const expected = client.answers.map((name) => `${name} ${expectedAnswers[name]}`)
  console.log(`${client.name}: ${runClient(client, { sources, work, expected })}`)
}
await stop()

/** Serves a lake of the fixtures with a key, which the variables of libpq name. Returns the function that stops it. */
async function serveFixtures(): Promise<() => Promise<void>> {
  const lake = join(work, 'lake')
  await runToEnd([program, 'ingest', fixtures, '--lake', lake])
  const features = ['--features', 'HotspotData,OracleData,Aggregates,Sql']
  const { stdout } = await runToEnd([program, 'keys', 'add', '--lake', lake, '--name', 'tools', ...features])
  const key = /\S{60,}/.exec(stdout)?.[0]
  if (key === undefined) throw new Error(`no key in ${stdout}`)
  const port = await freePort()
  const doors = ['--port', '0', '--postgres', `127.0.0.1:${port}`]
  const serving = await startServing([program, 'serve', '--lake', lake, ...doors])
  Object.assign(process.env, { PGHOST: '127.0.0.1', PGPORT: `${port}`, PGDATABASE: 'ledgerlake' })
  Object.assign(process.env, { PGUSER: 'tools', PGPASSWORD: key })
  return () => serving.stop()
}

async function pointAt(place: string): Promise<() => Promise<void>> {
  const { hostname, port, pathname } = new URL(`postgres://${place}`)
  Object.assign(process.env, { PGHOST: hostname, PGPORT: port, PGDATABASE: pathname.slice(1) })
  return async () => {}
}

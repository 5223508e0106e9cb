import { parseArgs } from 'node:util'
import { relayClient } from '../test/support/servers/relay-client.ts'
import { relayTour } from '../test/support/servers/relay-tour.ts'

/** Asks all operations as a client of the hosted service does: npm run relay-client -- http://127.0.0.1:8080 --key K */

const { positionals, values } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } })
const [server] = positionals
if (server === undefined) throw new Error('which server? Use an address such as http://127.0.0.1:8080')
for await (const line of relayTour(relayClient(`${server.replace(/\/+$/, '')}/v1`, values.key))) {
  console.log(line)
}

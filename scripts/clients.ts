import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { program, runToEnd, startServing } from '../bench/support/program.ts'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { generatedClients } from '../test/support/clients/clients.ts'
import { expectedLines, variants } from '../test/support/clients/expected-lines.ts'
import { runClient } from '../test/support/clients/run-client.ts'

/**
 * Generates clients from the documents of a server, compiles them, and compares what they read with the replies: npm run test:long -- clients --only go,rust
 * A client reads a list with every declared default, a total beyond 2^53, an error by its type, each variant of a reward, and a file.
 * Generators come from npm, PyPI, the Go module proxy, Maven Central and crates.io into a temporary folder. The machine needs npm, and
 * python3, go, java with mvn, and cargo for clients in those languages; a client whose programs are missing is skipped. Exit code 1 when one fails.
 */

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const chosen = generatedClients.filter(
  ({ name }) => values.only?.split(',').some((part) => name.includes(part)) ?? true,
)
if (chosen.length === 0)
  throw new Error(
    `--only is ${values.only}; use parts of ${generatedClients.map(({ name }) => name).join(', ')}`,
  )

const sources = fileURLToPath(new URL('../test/support/clients/', import.meta.url))
const fixtures = fileURLToPath(new URL('../test/fixtures/small', import.meta.url))
const work = temporaryFolder()

const lake = join(work, 'lake')
await runToEnd([program, 'ingest', fixtures, '--lake', lake])
const { address, stop } = await startServing([program, 'serve', '--lake', lake, '--port', '0'])
const textAt = async (path: string) => await (await fetch(address + path)).text()
const expected = await expectedLines(address)
// Read first: idle connections are closed while a client is built.
const documents = new Map<string, string>()
for (const { document } of chosen) documents.set(document, await textAt(document))
const ask = `${address} ${Object.keys(variants).join()}`
for (const client of chosen) {
  const files = { 'openapi.json': documents.get(client.document) ?? '' }
  const outcome = runClient(client, { sources, work, files, ask, expected })
  console.log(`${client.name}: ${outcome}`)
}
await stop()

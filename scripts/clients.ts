import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { program, runToEnd, startServing } from '../bench/support/program.ts'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { type GeneratedClient, generatedClients } from '../test/support/clients/clients.ts'
import { expectedLines, variants } from '../test/support/clients/expected-lines.ts'

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
for (const client of chosen) console.log(`${client.name}: ${outcomeOf(client)}`)
await stop()

function outcomeOf(client: GeneratedClient): string {
  const missing = client.needs.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0) return `skipped, this machine has no ${missing.join(', ')}`
  const began = performance.now()
  const folder = join(work, client.name.replaceAll(' ', '-'))
  layOut(client, folder)
  for (const line of client.prepare) {
    const { status, stdout, stderr } = inFolder(line, folder)
    if (status !== 0) return failed(`${line} left with ${status}\n${stdout}${stderr}`)
  }
  const { stdout, stderr } = inFolder(`${client.run} ${address} ${Object.keys(variants).join()}`, folder)
  const lines = stdout.trim().split('\n')
  const excepted = Object.keys(client.exceptions ?? {})
  const wrong = expected.filter(
    (line) => !lines.includes(line) && !excepted.some((begin) => line.startsWith(begin)),
  )
  if (wrong.length > 0) return failed(`did not read\n${wrong.join('\n')}\nbut\n${stdout}${stderr}`)
  const reasons = Object.entries(client.exceptions ?? {}).map(
    ([begin, reason]) => `, but ${begin}: ${reason}`,
  )
  return `${expected.length - excepted.length} of ${expected.length} answers right${reasons.join('')}, ${Math.round((performance.now() - began) / 1000)} s`
}

/** The document, the program that asks and other files of a client. */
function layOut({ document, program: [source, target], files = {} }: GeneratedClient, folder: string) {
  const all = {
    ...files,
    'openapi.json': documents.get(document) ?? '',
    [target]: readFileSync(sources + source, 'utf8'),
  }
  for (const [name, text] of Object.entries(all)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

function inFolder(line: string, cwd: string) {
  return spawnSync('sh', ['-c', line], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
}

function failed(reason: string): string {
  process.exitCode = 1
  return `failed: ${reason}`
}

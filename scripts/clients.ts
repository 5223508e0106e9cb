import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { program, runToEnd, startServing } from '../bench/support/program.ts'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { type GeneratedClient, generatedClients } from '../test/support/clients/clients.ts'

/**
 * Generates clients from the documents of a server, compiles them, and compares what they read with the replies: npm run test:clients -- --only go,rust
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

/** A member of text of each variant. */
const variants = {
  gateway_reward: 'hotspot_key',
  promotion_reward: 'entity',
  radio_reward: 'cbsd_id',
  radio_reward_v2: 'hotspot_key',
  service_provider_reward: 'service_provider_id',
  subscriber_reward: 'subscriber_id',
  unallocated_reward: 'unallocated_reward_type',
}
const sources = fileURLToPath(new URL('../test/support/clients/', import.meta.url))
const fixtures = fileURLToPath(new URL('../test/fixtures/small', import.meta.url))
const work = temporaryFolder()

const lake = join(work, 'lake')
await runToEnd([program, 'ingest', fixtures, '--lake', lake])
const { address, stop } = await startServing([program, 'serve', '--lake', lake, '--port', '0'])
const textAt = async (path: string) => await (await fetch(address + path)).text()
const expected = await expectedLines()
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

/** What each client prints, from replies that are read as text. */
async function expectedLines(): Promise<readonly string[]> {
  const range = 'from=2000-01-01&to=2100-01-01'
  const list = await textAt(`/v1/net/l2/iot-reward-shares?${range}`)
  const totals = await textAt(`/v1/net/l2/iot-reward-shares/totals?${range}`)
  const file = await textAt(`/v1/net/l2/iot-reward-shares?${range}&format=csv`)
  const keys = Object.entries(variants).map(async ([name, member]) => {
    const page = await textAt(`/v1/net/l2/mobile-reward-shares?${range}&reward_type=${name}&per_page=1`)
    return `variant ${name} ${JSON.parse(page).records[0].reward_detail[member]}`
  })
  const total = /"total_amount":(\d+)/.exec(totals)?.[1] ?? ''
  if (BigInt(total) <= 2n ** 53n) throw new Error(`the total is ${total}, which a double holds`)
  return [
    `list 25 ${/"id":"([^"]+)"/.exec(list)?.[1]}`,
    `total ${total}`,
    'error 404 not_found',
    ...(await Promise.all(keys)),
    `file ${file.split('\n').length - 1}`,
  ]
}

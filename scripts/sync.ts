import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { deriveSeed, openRandom } from '../src/write/sample/random.ts'
import { spell } from '../test/support/exact-json.ts'
import { openRun } from '../test/support/open-run.ts'
import { checkBudget, checkEstimate } from '../test/support/sync/bills.ts'
import { startFaultProxy } from '../test/support/sync/fault-proxy.ts'
import { killRounds } from '../test/support/sync/killed-rounds.ts'
import { startMoto } from '../test/support/sync/moto.ts'
import { makeObjects } from '../test/support/sync/objects.ts'
import { type Place, peakMb } from '../test/support/sync/run-sync.ts'

/**
 * Synchronizes a bucket of a thousand objects from an S3 server through a proxy that makes faults, while the bucket grows and
 * changes and the program is killed again and again; then holds estimates and budgets against what the proxy has counted:
 * npm run test:long -- sync --days 126 --seed 1 --only kills
 */

const mostMb = 1500

/** `--moto`: the program moto_server; without it moto comes from PyPI. */
const { values, only, say } = openRun({ days: '126', seed: '1', moto: undefined }, [
  'estimate',
  'budget',
  'kills',
])
const folder = temporaryFolder()
const randomOf = (...names: readonly string[]) => openRandom(deriveSeed(...names, values.seed))

const objects = await makeObjects(folder, values.seed, Number(values.days))
say(`${objects.length} objects, ${objects.reduce((sum, { body }) => sum + body.length, 0)} bytes`)
const server = await startMoto(values.moto, join(folder, 'moto.log'), 'network-files', say)

/** A proxy and a lake of their own for each part, so that each has its own bill. */
async function inPlace<T>(name: string, delayMs: number, work: (place: Place) => Promise<T>): Promise<T> {
  const own = join(folder, name)
  mkdirSync(own)
  const proxy = await startFaultProxy(server.endpoint, randomOf('faults', name))
  Object.assign(proxy, { delayMs, isRough: delayMs > 0 })
  try {
    const found = await work({ folder: own, lake: join(own, 'lake'), bucket: server.bucket, proxy })
    say(`${name}: ${spell(found)}`)
    return found
  } finally {
    say(
      `${name}: the proxy has seen ${spell(proxy.bill())}, ${proxy.resumed()} reads from a byte after the first, ` +
        `${proxy.left()} that the program left; faults: ${spell(Object.fromEntries(proxy.faults))}`,
    )
    await proxy.stop()
  }
}

if (only.includes('kills'))
  await inPlace('kills', 60, (place) => killRounds(place, server, objects, randomOf('kills'), say))
else for (const { key, body } of objects) await server.put(key, body)

if (only.includes('estimate') || only.includes('budget')) {
  const { used } = await inPlace('estimate', 0, checkEstimate)
  if (only.includes('budget'))
    await inPlace('budget', 20, (place) => checkBudget(place, used.nanos, randomOf('budget')))
}
await server.stop()
say(`the most memory of the program was ${Math.round(peakMb())} MiB`)
if (peakMb() > mostMb) throw new Error(`the peak is ${peakMb()} MiB; expected at most ${mostMb} MiB`)
process.exit(0)

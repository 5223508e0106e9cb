import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { deriveSeed, openRandom } from '../src/write/sample/random.ts'
import { spell } from '../test/support/exact-json.ts'
import { openRun } from '../test/support/open-run.ts'
import { checkBudget, checkEstimate } from '../test/support/sync/bills.ts'
import { startFaultProxy } from '../test/support/sync/fault-proxy.ts'
import { killRounds } from '../test/support/sync/killed-rounds.ts'
import { fetchMoto, startMoto } from '../test/support/sync/moto.ts'
import { makeObjects } from '../test/support/sync/objects.ts'
import { type Place, peakMb } from '../test/support/sync/run-sync.ts'

/**
 * Synchronizes a bucket of a thousand objects from an S3 server through a proxy that makes faults, while the bucket grows and
 * changes and the program is killed again and again; then holds estimates and budgets against what the proxy has counted:
 * npm run test:long -- sync --days 126 --seed 1 --only kills
 */

const fewestKills = 40
const mostMb = 1500

/** `--moto`: the program moto_server; without it moto comes from PyPI. */
const usual = { days: '126', seed: '1', moto: undefined }
const { values, only, say } = openRun(usual, ['estimate', 'budget', 'kills'])
const folder = temporaryFolder()

const objects = await makeObjects(folder, values.seed, Number(values.days))
const bytes = objects.reduce((sum, { body }) => sum + body.length, 0)
say(`${objects.length} objects, ${bytes} bytes`)
const moto = values.moto === undefined ? await fetchMoto(say) : [values.moto]
const server = await startMoto(moto, join(folder, 'moto.log'), 'network-files')

/** A proxy and a lake of their own for each part, so that each has its own bill. */
async function inPlace<T>(name: string, work: (place: Place) => Promise<T>): Promise<T> {
  const own = join(folder, name)
  mkdirSync(own)
  const proxy = await startFaultProxy(server.endpoint, openRandom(deriveSeed('faults', name, values.seed)))
  const place = { folder: own, lake: join(own, 'lake'), bucket: server.bucket, proxy }
  try {
    return await work(place)
  } finally {
    say(
      `${name}: the proxy has seen ${spell(proxy.bill())}, ${proxy.resumed()} reads from a byte after the first, ` +
        `${proxy.left()} that the program left; faults: ${spell(Object.fromEntries(proxy.faults))}`,
    )
    await proxy.stop()
  }
}

const randomOf = (name: string) => openRandom(deriveSeed(name, values.seed))

if (only.includes('kills')) {
  await inPlace('kills', async (place) => {
    place.proxy.isRough = true
    place.proxy.delayMs = 60
    const figures = await killRounds(place, server, objects, randomOf('kills'), say)
    say(spell(figures))
    const { fetching, ingesting, other } = figures.kills
    const seen = [fetching, ingesting, place.proxy.resumed(), figures.changedBefore, figures.changedAfter]
    if (seen.includes(0) || fetching + ingesting + other < fewestKills)
      throw new Error(`too little happened; ${fewestKills} kills and some of each are needed`)
  })
} else for (const { key, body } of objects) await server.put(key, body)

if (only.includes('estimate') || only.includes('budget')) {
  const { estimated, used } = await inPlace('estimate', checkEstimate)
  say(`estimated ${spell(estimated)}, used ${spell(used)}`)
  if (only.includes('budget'))
    await inPlace('budget', async (place) => {
      place.proxy.isRough = true
      place.proxy.delayMs = 20
      say(spell(await checkBudget(place, used.nanos, randomOf('budget'))))
    })
}
await server.stop()
say(`the most memory of the program was ${Math.round(peakMb())} MiB`)
if (peakMb() > mostMb) throw new Error(`the peak is ${peakMb()} MiB; expected at most ${mostMb} MiB`)
process.exit(0)

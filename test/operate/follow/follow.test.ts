import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { bringFile } from '../../../src/operate/follow/bring-file.ts'
import { type FollowRequest, follow } from '../../../src/operate/follow/follow.ts'
import { StoreFault } from '../../../src/operate/object-store/object-store.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { entriesOf, folderOrigin, type OnTheWay } from '../../support/folder-origin.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { iotReward, makeLake, makeOtherLake, thirtyShares } from '../../support/lakes/make-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const patience = { attempts: 3, firstWaitMs: 1 }

async function copyOf(there: string, onTheWay?: OnTheWay) {
  const lake = join(await temporaryFolder(), 'copy')
  const { origin, asked } = folderOrigin(there, onTheWay)
  const request: FollowRequest = {
    ...{ lake, origin, patience, areFilesBrought: true, openWriter: openTestWriter },
    signal: new AbortController().signal,
  }
  return { lake, asked, request, again: () => follow(request) }
}

const idOf = async (lake: string) => (await new Lake(lake).latest()).id

describe('a copy of a lake', () => {
  it('has every commit, file and response of its origin, and requests nothing twice', async () => {
    const there = await smallLake('a commit for each file')
    const { lake, asked, again } = await copyOf(there)
    const came = await again()
    expect(came.commits).toBe(Object.keys(await entriesOf(there)).length)
    expect(came.commits).toBeGreaterThan(20)
    expect(await entriesOf(lake)).toEqual(await entriesOf(there))
    expect(await idOf(lake)).toBe(await idOf(there))
    const [here, far] = [await buildTestServer(lake), await buildTestServer(there)]
    expect(await everyAnswer(here)).toEqual(await everyAnswer(far))
    expect(new Set(asked).size).toBe(asked.length)
    asked.length = 0
    expect(await again()).toEqual({ commits: 0, files: 0, bytes: 0 })
    expect(asked).toEqual([])
  })

  it('follows new, merged and vacuumed files of its origin', async () => {
    const made = await makeLake({
      'iot/iot_network_reward_shares_v1.1738108800000.gz': thirtyShares('2025-01-29'),
    })
    const { lake, again } = await copyOf(made.folder)
    await again()
    await made.add({ 'iot/iot_network_reward_shares_v1.1738195200000.gz': thirtyShares('2025-01-30') })
    await made.add({ 'iot/iot_network_reward_shares_v1.1738281600000.gz': thirtyShares('2025-01-31') })
    await compact({ lake: made.folder, months: ['2025-01'], openWriter: openTestWriter })
    await vacuum({ lake: made.folder, keepHours: 0, isDryRun: false })
    expect((await again()).commits).toBeGreaterThan(2)
    expect(await idOf(lake)).toBe(await idOf(made.folder))
    const [here, far] = [await buildTestServer(lake), await buildTestServer(made.folder)]
    expect(await everyAnswer(here)).toEqual(await everyAnswer(far))
  })

  it('never has a file with other bytes, and resumes an interrupted download', async () => {
    const there = await smallLake()
    let broken = 0
    const { lake, asked, again } = await copyOf(there, (chunk, _file, from) => {
      if (from === 0 || broken > 0) return chunk
      broken += 1
      throw new StoreFault('passing', 'the line is cut')
    })
    await again()
    expect(asked.filter((one) => /\.(parquet|gz) [1-9]/.test(one))).toHaveLength(1)
    expect(await idOf(lake)).toBe(await idOf(there))

    const other = await copyOf(there, (chunk, { path }) =>
      path.endsWith('.parquet') ? Buffer.alloc(chunk.length) : chunk,
    )
    await expect(other.again()).rejects.toThrow(/came from .* with the SHA-256 [\da-f]{64}, and the log says/)
    expect(Object.keys(contentOf(other.lake)).filter((path) => /parquet$|_delta_log/.test(path))).toEqual([])
  })

  it('shows no commit before its files are copied', async () => {
    const there = await smallLake()
    let left = 4
    const { lake, again } = await copyOf(there, (chunk, { path }) => {
      if (path.endsWith('.parquet') && left-- <= 0) throw new StoreFault('refused', 'no more')
      return chunk
    })
    await expect(again()).rejects.toThrow('no more')
    expect(await entriesOf(lake)).toEqual({})
    expect((await new Lake(lake).latest()).isEmpty).toBe(true)
    left = Number.POSITIVE_INFINITY
    await again()
    expect(await idOf(lake)).toBe(await idOf(there))
  })

  it('fetches data files later with areFilesBrought=false', async () => {
    const there = await smallLake()
    const { lake, request } = await copyOf(there)
    await follow({ ...request, areFilesBrought: false })
    expect(Object.keys(contentOf(lake)).filter((path) => path.endsWith('.parquet'))).toEqual([])
    const at = await new Lake(lake).latest()
    expect(at.id).toBe(await idOf(there))
    const table = at.tables.find(({ files }) => files.length > 0)
    const [{ path, bytes, sha256 } = { path: '', bytes: 0, sha256: '' }] = table?.files ?? []
    const file = {
      table: table?.resource.name ?? '',
      path: path.slice(join(lake, table?.resource.name ?? '').length + 1),
      bytes,
      sha256,
    }
    expect(await Promise.all([bringFile(request, file), bringFile(request, file)])).toEqual(
      expect.arrayContaining([bytes, 0]),
    )
  })

  it('refuses a log that does not continue its own, with advice', async () => {
    const files = {
      'iot/iot_network_reward_shares_v1.1738108800000.gz': [
        iotReward('2025-01-29', 1, { beacon_amount: 7n }),
      ],
    }
    const [one, two] = [await makeLake(files), await makeOtherLake(files)]
    const { lake, request } = await copyOf(one.folder)
    await follow(request)
    const { origin } = folderOrigin(two.folder)
    const more = {
      'iot/iot_network_reward_shares_v1.1738195200000.gz': [iotReward('2025-01-30', 1, {})],
    }
    await two.add(more)
    await expect(follow({ ...request, origin })).rejects.toThrow(
      /is not the one of .* copy it into an empty folder/,
    )
    await ingestInto(lake, [two.input.replace('input-0', 'input-1')])
    await expect(follow(request)).rejects.toThrow(/restored from an older copy|is not the one of/)
  })

  it('refuses an entry that was changed on its way', async () => {
    const there = await smallLake()
    const { lake, request } = await copyOf(there)
    const changed = {
      ...request.origin,
      async *entries(...given: Parameters<typeof request.origin.entries>) {
        for await (const text of request.origin.entries(...given)) yield text.replace('"size":', '"size":1')
      },
    }
    await expect(follow({ ...request, origin: changed })).rejects.toThrow(
      /does not have the digest that it names/,
    )
    expect(existsSync(lake)).toBe(false)
  })
})

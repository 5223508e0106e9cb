import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RowWriter } from '../../../src/engine/parquet/duckdb-row-writer.ts'
import { pathOf } from '../../../src/lake/facts/data-file.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { olderBuild } from '../../support/lakes/older-build.ts'
import {
  b,
  countsOf,
  type DecodedRow,
  files,
  key,
  makeNetwork,
  olderLake,
  type RetryNetwork,
  retry,
  stagedIn,
  versions,
} from '../../support/lakes/retry-network.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { liveRows } from '../../support/read-answers.ts'
import { readEntries } from '../../support/tables/delta-table.ts'
import { withInlineFacts } from '../../support/tables/file-facts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

let network: RetryNetwork
beforeAll(async () => {
  network = await makeNetwork()
})

describe('an interrupted retry leaves the old state, and the next one stores everything', () => {
  const broken = () => {
    throw new Error('the disk is full')
  }
  const causes: readonly [string, (writer: RowWriter) => Partial<RowWriter>][] = [
    ['a reject cannot be read', () => ({ readStretch: broken })],
    [
      'new rows cannot be written',
      (writer) => ({
        openStage: async (resource, shapes) => {
          const stage = await writer.openStage(resource, shapes)
          return { rows: 0, append: (batch) => stage.append(batch), drop: () => stage.drop(), write: broken }
        },
      }),
    ],
    ['files cannot be merged', () => ({ merge: broken })],
    ['a file cannot be read back', () => ({ inspect: broken })],
    [
      'a file is not what was written',
      () => ({ merge: async (_resource, file, _arriving, to) => cpSync(pathOf(file), to) }),
    ],
  ]
  it.each(causes.filter((_, place) => place % scaled(2, 1) === 0))('because %s', async (_what, breakPart) => {
    const { lake, refused } = await olderLake(key(3), [network.input])
    const [before, rows] = [versions(lake), await liveRows(lake)]
    const failing = retry(lake, {
      openWriter: async (spillFolder) => {
        const writer = await openTestWriter(spillFolder)
        return { ...writer, ...breakPart(writer) }
      },
    })
    await expect(failing).rejects.toThrow(/the disk is full|does not hold what was written/)
    expect(versions(lake)).toEqual(before)
    expect(await liveRows(lake)).toEqual(rows)
    expect(stagedIn(lake)).toEqual([])
    expect(await retry(lake)).toMatchObject({ taken: refused })
    await network.expectFresh(lake)
  })
})

describe('a retry that is overtaken by a commit', () => {
  /** Retries, and does something else between reading the lake and committing. */
  async function retryAfter(lake: string, between: () => Promise<unknown>) {
    let isFirst = true
    return await retry(lake, {
      openWriter: async (spillFolder) => {
        const writer = await openTestWriter(spillFolder)
        return {
          ...writer,
          async merge(...args) {
            await writer.merge(...args)
            if (isFirst) await between()
            isFirst = false
          },
        }
      },
    })
  }

  it('of another retry stores nothing twice', async () => {
    const { lake, refused } = await olderLake(key(3), [network.input])
    let taken = 0
    const own = await retryAfter(lake, async () => {
      taken = (await retry(lake)).taken
    })
    expect([taken, own.taken]).toEqual([refused, 0])
    await network.expectFresh(lake)
  })

  it('of a retry by an older build stores the rest', async () => {
    const { lake } = await olderLake((row) => key(3)(row) || key(1)(row), [network.input])
    await retryAfter(lake, () => retry(lake, { openReader: olderBuild(key(1)) }))
    await network.expectFresh(lake)
  })

  it('of a new file adds to it', async () => {
    const lake = join(await temporaryFolder(), 'lake')
    const others = Object.keys(files).filter((name) => name !== b)
    const openReader = olderBuild(key(3))
    await ingestInto(
      lake,
      others.map((name) => join(network.input, name)),
      { maxRejects: 1000, openReader },
    )
    await retryAfter(lake, () => ingestInto(lake, [join(network.input, b)]))
    await network.expectFresh(lake)
  })

  it('of a replacement drops the messages of the old bytes', async () => {
    const folder = await temporaryFolder()
    const put = (...messages: Buffer[]) => writeFileSync(join(folder, b), frameFile(messages))
    put(operational(1), operational(2), operational(3))
    const { lake } = await olderLake((row) => row.amount === 2n, [join(folder, b)])
    put(operational(10), operational(20))
    const own = await retryAfter(lake, () => ingestInto(lake, [join(folder, b)], { replace: true }))
    expect(own).toMatchObject({ rejects: 0, taken: 0 })
    expect(await amountsIn(lake)).toEqual([10n, 20n])
  })
})

async function amountsIn(lake: string) {
  const rows = Object.values(await liveRows(lake)).flat()
  return rows.map((row) => row.amount).sort((x, y) => (BigInt(String(x)) < BigInt(String(y)) ? -1 : 1))
}

describe('no message is stored twice, and none is lost', () => {
  async function oneFile(...messages: Buffer[]) {
    const folder = await temporaryFolder()
    const [path, lake] = [join(folder, b), join(folder, 'lake')]
    const put = (...others: Buffer[]) => writeFileSync(path, frameFile(others))
    put(...messages)
    const take = (refuses: (row: DecodedRow) => boolean, replace = false) =>
      ingestInto(lake, [path], { replace, maxRejects: 1000, openReader: olderBuild(refuses) })
    /** The rejects are committed, the rows are not. */
    const takeHalf = (refuses: (row: DecodedRow) => boolean) =>
      expect(
        ingestInto(lake, [path], {
          openReader: olderBuild(refuses),
          openWriter: async (spillFolder) => {
            const writer = await openTestWriter(spillFolder)
            return {
              ...writer,
              async inspect(resource, file) {
                if (resource.name !== 'rejects') throw new Error('the disk is full')
                return await writer.inspect(resource, file)
              },
            }
          },
        }),
      ).rejects.toThrow('the disk is full')
    return { lake, put, take, takeHalf }
  }
  const is =
    (...amounts: bigint[]) =>
    (row: DecodedRow) =>
      amounts.includes(row.amount as bigint)
  const nothing = () => false

  it('when an older build died between rejects and rows, and a newer one took in the file', async () => {
    for (const newer of [nothing, is(3n)]) {
      const { lake, takeHalf, take } = await oneFile(operational(1), operational(2), operational(3))
      await takeHalf(is(2n, 3n))
      const { refusedRows } = await take(newer)
      expect((await countsOf(lake)).rejects?.rows).toBe(refusedRows)
      expect(await retry(lake)).toMatchObject({ rejects: refusedRows, taken: refusedRows })
      expect(await amountsIn(lake)).toEqual([1n, 2n, 3n])
    }
  })

  it('when a newer build died between rejects and rows, and an older one took in the file', async () => {
    const { lake, takeHalf, take } = await oneFile(operational(1), operational(2), operational(3))
    await takeHalf(is(3n))
    await take(is(2n, 3n))
    expect(await retry(lake)).toMatchObject({ rejects: 2, taken: 2 })
    expect(await amountsIn(lake)).toEqual([1n, 2n, 3n])
  })

  it('when a file was replaced, retried, and replaced by its first bytes', async () => {
    const first = [operational(1), operational(2), operational(3)]
    const { lake, put, take } = await oneFile(...first)
    await take(is(2n, 3n))
    await retry(lake, { openReader: olderBuild(is(3n)) })
    expect(await amountsIn(lake)).toEqual([1n, 2n])
    put(operational(7))
    await take(nothing, true)
    expect(await retry(lake)).toMatchObject({ rejects: 0 })
    put(...first)
    await take(is(1n), true)
    expect(await countsOf(lake)).toMatchObject({
      iot_reward_shares: { rows: 2, refused: 1 },
      rejects: { rows: 1 },
    })
    expect(await retry(lake)).toMatchObject({ rejects: 1, taken: 1 })
    expect(await amountsIn(lake)).toEqual([1n, 2n, 3n])
  })

  it('if a message that is listed as refused is already a row', async () => {
    const { lake, take } = await oneFile(operational(1), operational(2))
    await take(is(2n))
    await retry(lake)
    // As if the entry did not know of it: the retry is undone in the log, not in the file.
    const entry = readEntries(join(lake, 'iot_reward_shares')).at(-1)
    const table = join(lake, 'iot_reward_shares')
    const inline = (entry?.actions ?? []).map((action) =>
      action.add === undefined ? action : { add: withInlineFacts(table, action.add) },
    )
    const text = inline
      .map((action) => `${JSON.stringify(action)}\n`)
      .join('')
      .replace(/,\\"retried\\":\\"1\\"/, '')
      .replace(/"engineInfo":"[a-z]+"/, '"engineInfo":"x"')
    expect(text).not.toContain('retried')
    writeFileSync(entry?.path ?? '', text.replace(/,"digest":"[0-9a-f]+"/, ''))
    await expect(retry(lake)).rejects.toThrow(/already has message 1 of/)
    expect(await amountsIn(lake)).toEqual([1n, 2n])
  })
})

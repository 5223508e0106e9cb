import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const name = 'iot_reward_share.1738371600001.gz'

/** Ingests `mine` while another run commits `theirs` under the same name just before. */
async function race(mine: bigint, theirs: bigint) {
  const folder = await temporaryFolder()
  const lake = join(folder, 'lake')
  for (const [which, amount] of [
    ['mine', mine],
    ['theirs', theirs],
  ] as const) {
    mkdirSync(join(folder, which))
    writeFileSync(join(folder, which, name), frameFile([operational(amount)]))
  }
  return await ingestInto(lake, [join(folder, 'mine')], {
    openWriter: async (spillFolder) => {
      const writer = await openTestWriter(spillFolder)
      const inspect: typeof writer.inspect = async (resource, path) => {
        await ingestInto(lake, [join(folder, 'theirs')])
        return await writer.inspect(resource, path)
      }
      return { ...writer, inspect }
    },
  })
}

it('a file with the bytes that another run committed first counts as stored', async () => {
  expect(await race(5n, 5n)).toMatchObject({ stored: 0, skipped: 1, failed: [] })
})

it('a file under whose name another run committed other bytes first is reported as failed', async () => {
  const { stored, skipped, failed } = await race(5n, 6n)
  expect({ stored, skipped }).toEqual({ stored: 0, skipped: 0 })
  expect(failed.map(({ reason }) => reason)).toEqual([
    expect.stringContaining(`the lake holds ${name} with other bytes`),
  ])
})

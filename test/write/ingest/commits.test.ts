import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Only a run that decodes nothing meanwhile waits so long. */
const PATIENCE_MS = 5000

type Writer = Awaited<ReturnType<typeof openTestWriter>>

/** Three files of one share each, every one a commit; `change` wraps the writer. Gives the sources that are in afterwards. */
async function ingestThree(change: (writer: Writer) => Partial<Writer>) {
  const folder = await temporaryFolder()
  const [lake, input] = [join(folder, 'lake'), join(folder, 'input')]
  mkdirSync(input)
  for (const amount of [1n, 2n, 3n])
    writeFileSync(join(input, `iot_reward_share.173837160000${amount}.gz`), frameFile([operational(amount)]))
  const openWriter = async (spillFolder: string) => {
    const writer = await openTestWriter(spillFolder)
    return { ...writer, ...change(writer) }
  }
  const failure = await ingestInto(lake, [input], { commitRows: 1, openWriter }).then(
    () => undefined,
    (error: unknown) => error,
  )
  const { sources } = (await new Lake(lake).latest()).table(iotRewardShares)
  return { failure, sources: sources.size }
}

it('a file is decoded while the one before is committed', async () => {
  let appended = 0
  let isInTime = true
  let goOn = () => {}
  const second = new Promise<true>((resolve) => {
    goOn = () => resolve(true)
  })
  const { failure, sources } = await ingestThree((writer) => ({
    async openStage(resource, shapes) {
      const stage = await writer.openStage(resource, shapes)
      const append: typeof stage.append = (batch) => {
        stage.append(batch)
        appended += 1
        if (appended === 2) goOn()
      }
      return {
        append,
        write: (...given) => stage.write(...given),
        drop: () => stage.drop(),
        get rows() {
          return stage.rows
        },
      }
    },
    // The first commit waits for a file that is decoded after it.
    async inspect(resource, path) {
      isInTime &&= await Promise.race([second, setTimeout(PATIENCE_MS, false, { ref: false })])
      return await writer.inspect(resource, path)
    },
  }))
  expect({ failure, sources, appended }).toEqual({ failure: undefined, sources: 3, appended: 3 })
  expect(isInTime).toBe(true)
})

it.each([1, 2, 3])('a run whose commit %i fails ends, and earlier commits remain', async (failing) => {
  let commits = 0
  const { failure, sources } = await ingestThree((writer) => ({
    async inspect(resource, path) {
      commits += 1
      if (commits === failing) throw new Error('the disk is broken')
      return await writer.inspect(resource, path)
    },
  }))
  expect(String(failure)).toContain('the disk is broken')
  expect({ sources, commits }).toEqual({ sources: failing - 1, commits: failing })
})

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import {
  dayEnd,
  dayStart,
  frameFile,
  len,
  message,
  num,
  vectorKey,
} from '../../support/messages/oracle-messages.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait.ts'

const shares = 'mobile_reward_share.1738371600001.gz'
const share = message(num(1, dayStart), num(2, dayEnd), len(4, len(1, vectorKey), num(2, 1000)))
const manifest = (price: number) =>
  message(len(1, shares), num(2, dayStart), num(3, dayEnd), len(4, num(4, 1)), num(6, 20119), num(7, price))

/** A lake of one share whose manifest has the price; every table is at version 0. */
async function lakeAtPrice(folder: string, price: number): Promise<string> {
  const [input, lake] = [join(folder, `in-${price}`), join(folder, `lake-${price}`)]
  mkdirSync(input)
  writeFileSync(join(input, shares), frameFile([share]))
  writeFileSync(join(input, 'reward_manifest.1738371600002.gz'), frameFile([manifest(price)]))
  expect((await ingestInto(lake, [input])).failed).toEqual([])
  return lake
}

it('a server uses a lake that replaced another at the same versions, manifests included', async () => {
  const folder = await temporaryFolder()
  const [first, second] = [await lakeAtPrice(folder, 100), await lakeAtPrice(folder, 1000)]
  const lake = join(folder, 'lake')
  renameSync(first, lake)
  const server = await buildTestServer(lake, 100)
  const range = 'from=2025-01-01&to=2026-01-01'
  const offloaded = async (path: string) =>
    /offloaded_bytes":(\d+)/.exec((await server.get(`/l2/mobile-reward-shares${path}?${range}`)).text)?.[1]
  // 1000 * 2^31 / 100, then / 1000
  expect([await offloaded(''), await offloaded('/totals')]).toEqual(['21474836480', '21474836480'])

  rmSync(lake, { recursive: true })
  renameSync(second, lake)
  await waitFor(async () =>
    expect([await offloaded(''), await offloaded('/totals')]).toEqual(['2147483648', '2147483648']),
  )
})

import fs from 'node:fs'
import { beforeEach, expect, it, vi } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'

const counts = { stats: 0, links: 0 }
replaceBuiltin(fs, (real) => ({
  statSync: ((...args: Parameters<typeof real.statSync>) => {
    counts.stats += 1
    return real.statSync(...args)
  }) as typeof real.statSync,
}))
replaceBuiltin(fs.promises, (real) => ({
  lstat: (async (...args: Parameters<typeof real.lstat>) => {
    counts.links += 1
    return await real.lstat(...args)
  }) as typeof real.lstat,
}))

const range = 'from=2019-01-01&to=2027-01-01'
const paths = [`/l2/iot-reward-shares?${range}`, '/l2/makers', `/l2/mobile-reward-shares?${range}`]

let server: TestServer

/** A server whose files were looked at once no later change could look like the last one. */
beforeEach(async () => {
  const lake = await smallLake('a commit for each file')
  server = await buildTestServer(lake)
  const { checkedFiles } = server
  const { tables } = await new Lake(lake).latest()
  expect(tables.find(({ resource }) => resource === iotRewardShares)?.files.length).toBeGreaterThan(1)
  const areSettled = async () => {
    const verdicts = tables.flatMap(({ files }) => files.map((file) => checkedFiles.check(file)))
    return (await Promise.all(verdicts)).every(({ isSettled }) => isSettled)
  }
  await expect.poll(areSettled, { interval: 50 }).toBe(true)
})

/** Asks, and gives how often files were read and looked at for that. */
async function costOf(path: string) {
  const [before, { files }] = [{ ...counts }, server.engine.work()]
  expect((await server.get(path)).status).toBe(200)
  const looked = { stats: counts.stats - before.stats, links: counts.links - before.links }
  return { ...looked, files: server.engine.work().files - files }
}

it.each(paths)('%s checks each file that it reads once, after reading', async (path) => {
  await costOf(path)
  const now = vi.spyOn(performance, 'now')
  now.mockReturnValue(performance.now())
  // Looks at each before too, as none was of late.
  await costOf(path)
  const { stats, links, files } = await costOf(path)
  now.mockRestore()
  expect(files).toBeGreaterThan(0)
  expect({ stats, links }).toEqual({ stats: files, links: 0 })
})

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ingestInto } from '../support/build-lake.ts'
import { buildTestServer } from '../support/build-test-server.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it.each(["o'clock [1-2]", 'ünï日本 star* {a,b}', 'what? a"b', 'back\\slash'])(
  'a lake in a folder named %s answers like any other',
  async (name) => {
    const folder = join(await temporaryFolder(), name)
    mkdirSync(folder)
    const lake = join(folder, 'lake')
    expect((await ingestInto(lake, [smallNetwork])).failed).toEqual([])
    const server = await buildTestServer(lake)
    onTestFinished(server.close)
    const everything = 'from=2000-01-01&to=2100-01-01'
    const page = await server.get(`/l2/iot-reward-shares?${everything}&per_page=100`)
    expect(page.status).toBe(200)
    expect(JSON.parse(page.text).meta.count).toBe(100)
    const totals = await server.get(`/l2/mobile-reward-shares/totals?${everything}`)
    expect(totals.text).toContain('"total_offloaded_bytes":1952243726578746}')
  },
)

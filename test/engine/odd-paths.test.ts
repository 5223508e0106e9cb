import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { smallOracle } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const names = ["o'clock [1-2] star* {a,b}", 'ünï日本 what? a"b', 'star* {a,b}', 'back\\slash']

it.each(scaled(names.slice(0, 2), names))(
  'a lake in a folder named %s answers like any other',
  async (name) => {
    const folder = join(await temporaryFolder(), name)
    mkdirSync(folder)
    const lake = join(folder, 'lake')
    expect((await ingestInto(lake, [smallOracle])).failed).toEqual([])
    const server = await buildTestServer(lake)
    const everything = 'from=2000-01-01&to=2100-01-01'
    const page = await server.get(`/l2/iot-reward-shares?${everything}&per_page=100`)
    expect(page.status).toBe(200)
    expect(JSON.parse(page.text).meta.count).toBe(100)
    const totals = await server.get(`/l2/mobile-reward-shares/totals?${everything}`)
    expect(totals.text).toContain('"total_offloaded_bytes":1952243726578746}')
  },
)

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { smallLake } from '../support/lakes/small-lake.ts'
import { runMain } from '../support/servers/run-main.ts'

it('a server that can read no table of its lake closes everything and leaves no file in the lake', async () => {
  const lake = await smallLake()
  for (const table of readdirSync(lake).filter((name) => !name.startsWith('_'))) {
    const log = join(lake, table, '_delta_log')
    for (const name of readdirSync(log)) writeFileSync(join(log, name), 'nonsense')
  }
  const before = process.getActiveResourcesInfo().length
  const { code, stderr } = await runMain(['serve', '--lake', lake, '--port', '0'])
  expect(stderr).toContain('/_delta_log')
  expect(code).toBe(4)
  for (const folder of ['_readers', '_state/spill']) expect(readdirSync(join(lake, folder))).toEqual([])
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before)
})

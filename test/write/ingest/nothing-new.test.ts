import fs from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, it } from 'vitest'
import { resources } from '../../../src/catalog/resources.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'

const opened: string[] = []
replaceBuiltin(fs.promises, (real) => ({
  open: (async (...args: Parameters<typeof real.open>) => {
    opened.push(String(args[0]))
    return await real.open(...args)
  }) as typeof real.open,
}))

it('files that a lake has are skipped after one check of the log of each table', async () => {
  const lake = await smallLake()
  opened.length = 0
  const summary = await ingestInto(lake, [smallNetwork])
  expect(summary).toMatchObject({ read: 29, stored: 0, skipped: 29, failed: [] })
  const entries = opened.filter((path) => path.endsWith('00000000000000000000.json'))
  const tables = entries.map((path) => basename(dirname(dirname(path))))
  expect(tables.toSorted()).toEqual(resources.map(({ name }) => name).sort())
})

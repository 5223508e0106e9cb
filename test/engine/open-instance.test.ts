import { expect, it } from 'vitest'
import { openTwo } from '../../src/engine/duckdb/open-instance.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CONNECTIONS = 3

it('every connection has the settings of its instance, and footers are kept for statements over few rows', async () => {
  const folder = await temporaryFolder()
  const [scans, lookups] = await openTwo({
    folders: [folder],
    spillFolder: folder,
    memoryMb: 256,
    threads: 2,
    connections: CONNECTIONS,
  })
  const text = `SELECT current_setting('TimeZone') AS zone, current_setting('parquet_metadata_cache') AS footers,
    current_setting('enable_external_access') AS outside, current_setting('lock_configuration') AS locked`
  const settings = { zone: 'UTC', outside: false, locked: true }
  try {
    for (const [{ pool }, footers] of [
      [scans, false],
      [lookups, true],
    ] as const) {
      // Asked at once, each statement is given a connection of its own.
      const asked = Array.from({ length: CONNECTIONS }, () => pool.run({ text, values: [] }))
      expect((await Promise.all(asked)).flat()).toEqual(Array(CONNECTIONS).fill({ ...settings, footers }))
    }
  } finally {
    await Promise.all([scans.pool.close(), lookups.pool.close()])
  }
})

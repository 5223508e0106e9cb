import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openTwo } from '../../src/engine/duckdb/instances/open-instance.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/queries/duckdb-engine.ts'
import { openServices } from '../../src/services/services.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait.ts'

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
    for (const [pool, footers] of [
      [scans, false],
      [lookups, true],
    ] as const) {
      // Asked at once, each statement is given a connection of its own.
      const asked = Array.from({ length: CONNECTIONS }, () => pool.run({ text, values: [] }))
      expect((await Promise.all(asked)).flat()).toEqual(Array(CONNECTIONS).fill({ ...settings, footers }))
    }
  } finally {
    await Promise.all([scans.close(), lookups.close()])
  }
})

it('if one of two instances cannot be opened, the other one is closed and the spill folder is removed', async () => {
  const create = DuckDBInstance.create.bind(DuckDBInstance)
  const closed: DuckDBInstance[] = []
  const creating = vi.spyOn(DuckDBInstance, 'create').mockImplementationOnce(async (...given) => {
    const instance = await create(...given)
    const close = instance.closeSync.bind(instance)
    instance.closeSync = () => {
      closed.push(instance)
      close()
    }
    return instance
  })
  creating.mockRejectedValueOnce(new Error('no memory'))
  onTestFinished(() => creating.mockRestore())
  const state = await temporaryFolder()
  const settings = readSettings({}, { lake: await smallLake(), state })
  await expect(openServices(settings)).rejects.toThrow('no memory')
  expect(closed).toHaveLength(1)
  expect(await readdir(join(state, 'spill'))).toEqual([])
})

it('both instances are renewed after 8 snapshots, so that they cache nothing of removed files', async () => {
  const folder = await temporaryFolder()
  const create = vi.spyOn(DuckDBInstance, 'create')
  onTestFinished(() => void create.mockRestore())
  const engine = await openDuckdbEngine({
    ...{ folders: [folder], spillFolder: folder, memoryMb: 256, threads: 1, connections: 1 },
  })
  onTestFinished(() => engine.close())
  for (let snapshot = 1; snapshot <= 7; snapshot += 1) engine.retain?.(new Set())
  // An engine that is opened begins in a later turn.
  await setTimeout(50)
  expect(create).toHaveBeenCalledTimes(2)
  engine.retain?.(new Set())
  await waitFor(() => expect(create).toHaveBeenCalledTimes(4))
  await engine.ping?.()
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hotspotRecord, makerRecord } from '../support/messages/record-files.ts'
import { runMain } from '../support/servers/run-main.ts'
import type { Finished } from '../support/servers/run-program.ts'
import type { ExactRow } from '../support/tables/delta-table.ts'
import { readTable } from '../support/tables/read-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordFaults } from './cases/records.ts'

const sound = {
  makers: (at: number) => JSON.stringify(makerRecord(`sound-${at}`)),
  hotspots: (at: number) => JSON.stringify(hotspotRecord(`sound-${at}`)),
}
const kinds = ['makers', 'hotspots'] as const
const casesOf = (kind: string) => recordFaults.filter((fault) => fault.kind === kind)

let lake = ''
let run: Finished
let rejected: readonly ExactRow[]

/** One file of each kind: every faulty record of the list behind a sound one. */
beforeAll(async () => {
  const folder = await temporaryFolder()
  lake = join(folder, 'lake')
  mkdirSync(join(folder, 'in'))
  for (const kind of kinds) {
    const lines = casesOf(kind).flatMap(({ line }, at) => [sound[kind](at), '\n', line, '\n'])
    writeFileSync(join(folder, 'in', `${kind}.ndjson`), Buffer.concat(lines.map((line) => Buffer.from(line))))
  }
  run = await runMain(['ingest', 'in', '--lake', 'lake', '--max-rejects', '100'], { cwd: folder })
  rejected = await readTable(lake, 'rejects')
})

describe('a record that cannot be stored as a row is kept in rejects with its reason:', () => {
  it.each(recordFaults.map((fault) => [fault.name, fault] as const))('%s', (_, { kind, line, reason }) => {
    const ordinal = BigInt(casesOf(kind).findIndex((fault) => fault.reason === reason) * 2 + 1)
    expect(rejected.filter((row) => row.source_kind === kind && row.ordinal === ordinal)).toEqual([
      {
        source_kind: kind,
        source_file: `${kind}.ndjson`,
        ordinal,
        reason,
        message: Buffer.from(line).toString('hex'),
      },
    ])
  })

  it('and the run exits with 0, stores the others and counts the refused ones', async () => {
    expect([run.code, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toContain('2 files read: 2 stored, 0 skipped (already in), 0 failed\n')
    expect(run.stdout).toContain(`${recordFaults.length} rows stored, ${recordFaults.length} refused, `)
    expect(rejected).toHaveLength(recordFaults.length)
    for (const kind of kinds) expect(await readTable(lake, kind)).toHaveLength(casesOf(kind).length)
  })
})

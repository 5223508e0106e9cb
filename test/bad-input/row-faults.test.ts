import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  dec,
  frameFile,
  len,
  message,
  num,
  operational,
  period,
  vectorKey,
} from '../support/messages/oracle-messages.ts'
import { runMain } from '../support/servers/run-main.ts'
import type { Finished } from '../support/servers/run-program.ts'
import type { ExactRow } from '../support/tables/delta-table.ts'
import { loggedSources, readTable } from '../support/tables/read-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { RowFaultCase } from './case.ts'
import { rowFaults } from './cases/row-faults.ts'

/** A message of each kind that is a row, the table where it belongs, and the kind under which it is remembered. */
const sound: Readonly<Record<RowFaultCase['kind'], { message: Buffer; table: string; source: string }>> = {
  iot_reward_share: { message: operational(5), table: 'iot_reward_shares', source: 'iot_reward_share' },
  mobile_reward_share: {
    message: message(period(), len(7, num(2, 5))),
    table: 'mobile_reward_shares',
    source: 'mobile_reward_share',
  },
  reward_manifest: {
    message: message(num(2, 1), num(3, 2), len(5, dec(1, '1'))),
    table: 'reward_manifests',
    source: 'iot_reward_manifest',
  },
  iot_witness_ingest_report: {
    message: message(num(1, 1_738_368_000_000), len(2, len(2, vectorKey))),
    table: 'iot_witness_ingest_reports',
    source: 'iot_witness_ingest_report',
  },
}
const kinds = Object.keys(sound) as RowFaultCase['kind'][]
const casesOf = (kind: string) => rowFaults.filter((fault) => fault.kind === kind)
const fileOf = (kind: string) => `${kind}.1738369800559.gz`

let lake = ''
let run: Finished
let rejected: readonly ExactRow[]

/** One file of each kind: every faulty message of the list behind a sound one. */
beforeAll(async () => {
  const folder = await temporaryFolder()
  lake = join(folder, 'lake')
  mkdirSync(join(folder, 'in'))
  for (const kind of kinds) {
    const messages = casesOf(kind).flatMap((fault) => [sound[kind].message, fault.message])
    writeFileSync(join(folder, 'in', fileOf(kind)), frameFile(messages))
  }
  run = await runMain(['ingest', 'in', '--lake', 'lake'], { cwd: folder })
  rejected = await readTable(lake, 'rejects')
})

describe('a message that cannot be stored as a row is kept in rejects with its reason:', () => {
  it.each(rowFaults.map((fault) => [fault.name, fault] as const))('%s', (_, fault) => {
    const ordinal = BigInt(casesOf(fault.kind).indexOf(fault) * 2 + 1)
    const kept = rejected.filter((row) => row.source_file === fileOf(fault.kind) && row.ordinal === ordinal)
    expect(kept).toEqual([
      {
        source_kind: sound[fault.kind].source,
        source_file: fileOf(fault.kind),
        ordinal,
        reason: fault.reason,
        message: fault.message.toString('hex'),
      },
    ])
  })

  it('and the run exits with 0, stores the others and counts the refused ones', async () => {
    expect([run.code, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toContain('4 files read: 4 stored, 0 skipped (already in), 0 failed\n')
    expect(run.stdout).toContain(`${rowFaults.length} rows stored, ${rowFaults.length} refused, `)
    expect(rejected).toHaveLength(rowFaults.length)
  })

  it.each(kinds)('and the valid messages of the same files are stored: %s', async (kind) => {
    const rows = await readTable(lake, sound[kind].table)
    expect(rows.map((row) => row.ordinal)).toEqual(casesOf(kind).map((_, index) => BigInt(index * 2)))
    expect(loggedSources(lake, sound[kind].table)).toMatchObject([
      { name: fileOf(kind), rows: rows.length, refused: rows.length },
    ])
  })
})

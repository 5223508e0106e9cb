import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { runMain } from '../support/servers/run-main.ts'
import type { Finished } from '../support/servers/run-program.ts'
import type { ExactRow } from '../support/tables/delta-table.ts'
import { readTable } from '../support/tables/read-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type ArchiveRecordCase, matching } from './case.ts'
import { archiveRecordFaults, soundRecords } from './cases/archive.ts'

const tables: Readonly<Record<ArchiveRecordCase['folder'], string>> = {
  rewards: 'l1_rewards',
  transactions: 'l1_transactions',
  gateway_inventory: 'l1_gateways',
}
const folders = Object.keys(tables) as ArchiveRecordCase['folder'][]
const casesOf = (folder: string) => archiveRecordFaults.filter((fault) => fault.folder === folder)

let work = ''
let lake = ''
let run: Finished
let rejected: readonly ExactRow[]

const program = (...args: string[]) => runMain([...args, '--lake', 'lake'], { cwd: work })

/** One part of each table: every faulty record of the list behind a sound one. */
beforeAll(async () => {
  work = await temporaryFolder()
  lake = join(work, 'lake')
  for (const folder of folders) {
    const records = casesOf(folder).flatMap((fault) => [soundRecords[folder], fault.record])
    mkdirSync(join(work, 'in', folder), { recursive: true })
    writeFileSync(join(work, 'in', folder, 'data_xaa.csv.gz'), gzipSync(records.join('')))
  }
  run = await program('ingest', 'in')
  rejected = await readTable(lake, 'rejects')
})

const rejectOf = ({ folder, record }: ArchiveRecordCase) => {
  const message = Buffer.from(record.trimEnd()).toString('hex')
  const found = rejected.filter((row) => row.source_kind === tables[folder] && row.message === message)
  expect(found).toHaveLength(1)
  return found[0]
}

describe('an archive record that cannot be stored as a row is kept with its reason:', () => {
  it.each(archiveRecordFaults.map((fault) => [fault.name, fault] as const))('%s', (_, fault) => {
    expect(rejectOf(fault)?.reason).toMatch(matching(fault.reason))
  })

  it('and the other records are stored', async () => {
    expect([run.code, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toContain(`, ${archiveRecordFaults.length} refused, in`)
    expect(rejected).toHaveLength(archiveRecordFaults.length)
    for (const folder of ['rewards', 'transactions'] as const)
      expect(await readTable(lake, tables[folder])).toHaveLength(casesOf(folder).length)
    // The sound gateway is one gateway, however often it comes.
    expect(await readTable(lake, 'l1_gateways')).toHaveLength(1)
  })

  it('and is listed with its position; records that cannot be split into cells come last', async () => {
    const { code, stdout } = await program('rejects')
    const places = stdout
      .match(/^l1_rewards data_xaa\.csv\.gz record \d+/gm)
      ?.map((line) => line.split(' ').at(-1))
    const uncut = casesOf('rewards').filter(({ name }) => name.startsWith('too '))
    const cut = casesOf('rewards').length - uncut.length
    const records = casesOf('rewards').length * 2 - uncut.length
    const expected = [
      ...Array.from({ length: cut }, (_, at) => String(at * 2 + 1)),
      ...uncut.map((_, at) => String(records + at)),
    ]
    expect([code, places]).toEqual([0, expected])
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { contentOf } from '../support/lakes/lake-content.ts'
import { frameFile, operational } from '../support/messages/oracle-messages.ts'
import { runMain } from '../support/servers/run-main.ts'
import type { Finished } from '../support/servers/run-program.ts'
import { loggedSources, readTable } from '../support/tables/read-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type FileFaultCase, matching } from './case.ts'
import { acceptedParts, archiveFaults } from './cases/archive.ts'
import { acceptedFiles, fileFaults, stored } from './cases/file-faults.ts'
import { otherKinds } from './cases/other-kinds.ts'
import { acceptedRecords, recordFileFaults } from './cases/records.ts'

const faults = [...fileFaults, ...otherKinds, ...recordFileFaults, ...archiveFaults]
const accepted = [...acceptedFiles, ...acceptedRecords, ...acceptedParts]
const good = 'iot_reward_share.2.gz'

let folder = ''
let before: Readonly<Record<string, string>>
let run: Finished
let after: Readonly<Record<string, string>>

const ingest = (...paths: string[]) => runMain(['ingest', ...paths, '--lake', 'lake'], { cwd: folder })
const failed = ({ stdout }: Finished) => stdout.split('\n').filter((line) => line.startsWith('failed: '))

function write(path: string, bytes: Uint8Array): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), bytes)
}

/** All broken files in one run, into a lake that holds one sound file. */
beforeAll(async () => {
  folder = await temporaryFolder()
  write(join('first', stored.name), stored.bytes)
  expect(await ingest('first')).toMatchObject({ code: 0 })
  before = contentOf(join(folder, 'lake'))
  for (const fault of faults) {
    for (const [name, bytes] of Object.entries(fault.files)) write(join('in', name), bytes)
  }
  run = await ingest('in')
  after = contentOf(join(folder, 'lake'))
})

/** What the run says of each file of a case. */
function reasonsOf({ files }: FileFaultCase): readonly string[] {
  return Object.keys(files).map((name) => {
    const start = `failed: in/${name}: `
    const lines = failed(run).filter((line) => line.startsWith(start))
    expect(lines, name).toHaveLength(1)
    return String(lines[0]).slice(start.length)
  })
}

describe('an invalid file is reported with the reason, and none of its rows are stored:', () => {
  it.each(faults.map((fault) => [fault.name, fault] as const))('%s', (_, fault) => {
    const reasons = reasonsOf(fault)
    expect(reasons.length).toBeGreaterThan(0)
    for (const reason of reasons) expect(reason).toMatch(matching(fault.reason))
  })

  it('and the run exits with 3 and leaves the lake unchanged, byte for byte', () => {
    const files = faults.flatMap((fault) => Object.keys(fault.files)).length
    expect([run.code, run.stderr]).toEqual([3, ''])
    expect(run.stdout).toContain(`${files} files read: 0 stored, 0 skipped (already in), ${files} failed\n`)
    expect(failed(run)).toHaveLength(files)
    expect(after).toEqual(before)
  })

  it('and the other files are ingested', async () => {
    write(join('in', good), frameFile([operational(4)]))
    const next = await ingest('in')
    expect(next.code).toBe(3)
    expect(failed(next)).toEqual(failed(run))
    expect(next.stdout).toContain('1 row stored, 0 refused')
    const names = loggedSources(join(folder, 'lake'), 'iot_reward_shares').map((source) => source.name)
    expect(names).toEqual([stored.name, good])
  })
})

describe('an unusual but valid file is ingested:', () => {
  it.each(accepted.map((item) => [item.name, item] as const))('%s', async (name, item) => {
    const lake = `lake-of-${accepted.findIndex((other) => other.name === name)}`
    write(item.file, item.bytes)
    const taken = await runMain(['ingest', item.file, '--lake', lake], { cwd: folder })
    expect([taken.code, taken.stderr]).toEqual([0, ''])
    expect(taken.stdout).toContain('1 file read: 1 stored, 0 skipped (already in), 0 failed\n')
    const { table = /^(makers|hotspots)/.exec(item.file)?.[0] ?? 'iot_reward_shares' } = item
    expect(await readTable(join(folder, lake), table)).toHaveLength(item.rows)
    expect(loggedSources(join(folder, lake), table)[0]?.name).toBe(basename(item.file))
  })
})

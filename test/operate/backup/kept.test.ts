import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { keptInFolder } from '../../../src/lake/vacuum/kept-records.ts'
import { takeBackup } from '../../../src/operate/backup/backup.ts'
import { iotReward, type MadeLake } from '../../support/lakes/make-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { makeStatementLake } from '../../support/statement/made-network.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asked = ['--owner', 'owner-a', '--year', '2025']

let cwd: string
let made: MadeLake
/** A kept statement of which compact replaced files. */
let kept: { readonly snapshot: string; readonly digest: string }

beforeEach(async () => {
  cwd = await temporaryFolder()
  made = await makeStatementLake()
  await made.add({ 'iot/iot_reward_share.8.gz': [iotReward('2025-01-09', 1, { beacon_amount: 9n })] })
  kept = await write(made.folder, 'first', '--keep')
  await succeed('compact', '--lake', made.folder)
})

async function succeed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runMain(args, { cwd })
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return stdout
}

async function write(lake: string, out: string, ...args: string[]) {
  await succeed('statement', ...asked, '--out', out, ...args, '--lake', lake)
  return JSON.parse(readFileSync(join(cwd, out, 'summary.json'), 'utf8'))
}

const contents = (out: string) =>
  readdirSync(join(cwd, out)).map((name) => [name, readFileSync(join(cwd, out, name), 'utf8')])
const recordsIn = (lake: string) => (existsSync(join(lake, '_kept')) ? readdirSync(join(lake, '_kept')) : [])

/** Removes all files that nothing keeps, and returns their number. */
async function forgetOldFiles(lake: string): Promise<number> {
  const { tables } = JSON.parse(await succeed('vacuum', '--keep-hours', '0', '--json', '--lake', lake))
  return tables.reduce((sum: number, { paths }: { paths: readonly string[] }) => sum + paths.length, 0)
}

const backUp = () => succeed('backup', '--lake', made.folder, '--to', 'backups')
const restore = (...args: string[]) => succeed('restore', '--from', 'backups', '--lake', 'restored', ...args)

describe('a backup with a kept statement', () => {
  it('restores to a lake whose vacuum spares it, so that it is the same, byte for byte', async () => {
    await backUp()
    const restored = join(cwd, 'restored')
    await restore()
    expect(JSON.parse(await succeed('status', '--json', '--lake', restored)).kept).toMatchObject([
      { id: kept.digest, snapshot: kept.snapshot },
    ])
    expect(await succeed('verify', '--lake', restored)).not.toContain('_kept')
    expect(await forgetOldFiles(restored)).toBe(0)
    await write(restored, 'again', '--as-of', kept.snapshot)
    expect(contents('again')).toEqual(contents('first'))
    await succeed('statement', '--release', kept.digest, '--lake', restored)
    expect(await forgetOldFiles(restored)).toBeGreaterThan(0)
  })

  it('has no statement that was released before, also in a backup that goes on after an interruption', async () => {
    await backUp()
    const [name = ''] = readdirSync(join(cwd, 'backups'))
    cpSync(join(cwd, 'backups', name), join(cwd, 'backups', '_unfinished'), { recursive: true })
    await succeed('statement', '--release', kept.digest, '--lake', made.folder)
    await backUp()
    await restore()
    expect(recordsIn(join(cwd, 'restored'))).toEqual([])
  })

  it('leaves out a statement that is released while it copies, since a vacuum may remove its files', async () => {
    const records = keptInFolder(made.folder)
    let reads = 0
    const to = join(cwd, 'backups')
    const { folder } = await takeBackup({
      ...{ lake: made.folder, to },
      kept: {
        ...records,
        async read() {
          reads += 1
          return reads === 1 ? await records.read() : new Map()
        },
      },
    })
    expect([reads, recordsIn(folder)]).toEqual([2, []])
  })

  it('has a damaged record as it is, which verify names in the restored lake', async () => {
    const name = `${kept.digest}.json`
    writeFileSync(join(made.folder, '_kept', name), '{"snap')
    await backUp()
    await restore()
    expect(readFileSync(join(cwd, 'restored', '_kept', name), 'utf8')).toBe('{"snap')
    const { code, stdout } = await runMain(['verify', '--lake', 'restored'], { cwd })
    expect([code, stdout]).toEqual([4, expect.stringContaining(`_kept/${name}`)])
  })

  it('restored with --replace moves the records of the replaced tables aside', async () => {
    await backUp()
    await restore()
    const restored = join(cwd, 'restored')
    const newest = await write(restored, 'newest', '--keep')
    expect(newest.digest).not.toBe(kept.digest)
    await restore('--replace')
    expect(recordsIn(restored)).toEqual([`${kept.digest}.json`])
    expect(recordsIn(join(restored, '_replaced-1'))).toEqual(
      [kept.digest, newest.digest].sort().map((digest) => `${digest}.json`),
    )
    expect(await succeed('verify', '--lake', 'restored')).not.toContain('_kept')
  })
})

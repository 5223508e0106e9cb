import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { keptInFolder } from '../../../src/lake/vacuum/kept-records.ts'
import { keepSnapshot } from '../../../src/lake/vacuum/kept-snapshots.ts'
import { iotReward, type MadeLake } from '../../support/lakes/make-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { makeStatementLake } from '../../support/statement/made-network.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const asked = ['--owner', 'owner-a', '--year', '2025']

let cwd: string
let made: MadeLake

beforeEach(async () => {
  cwd = await temporaryFolder()
  made = await makeStatementLake()
  // A second file of January, which compact merges with the first.
  await made.add({ 'iot/iot_reward_share.8.gz': [iotReward('2025-01-09', 1, { beacon_amount: 9n })] })
})

const run = (...args: string[]) => runMain([...args, '--lake', made.folder], { cwd })
const kept = () => join(made.folder, '_kept')

async function succeed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return stdout
}

async function write(out: string, ...args: string[]) {
  const stdout = await succeed('statement', ...asked, '--out', out, ...args)
  return { stdout, ...JSON.parse(readFileSync(join(cwd, out, 'summary.json'), 'utf8')) }
}

const contents = (out: string) =>
  Object.fromEntries(
    readdirSync(join(cwd, out)).map((name) => [name, readFileSync(join(cwd, out, name), 'utf8')]),
  )

/** Removes all files that nothing keeps, and returns their number. */
async function forgetOldFiles(): Promise<number> {
  const { tables } = JSON.parse(await succeed('vacuum', '--keep-hours', '0', '--json'))
  return tables.reduce((sum: number, { paths }: { paths: readonly string[] }) => sum + paths.length, 0)
}

describe('a kept statement', () => {
  it('is the same, byte for byte, after compact and vacuum, until it is released', async () => {
    const { snapshot, digest, stdout } = await write('first', '--keep')
    expect(stdout).toContain(`ledgerlake statement --release ${digest.slice(0, 12)}`)
    await succeed('compact')
    expect(await forgetOldFiles()).toBe(0)
    await write('again', '--as-of', snapshot)
    expect(contents('again')).toEqual(contents('first'))
    expect(Object.keys(contents('again')).length).toBeGreaterThan(4)

    expect(await succeed('statement', '--release', digest.slice(0, 12))).toBe(
      'Released: Statement of owner owner-a, 2025-01-01 to 2025-12-31 (UTC). The next vacuum may remove its files.\n',
    )
    expect(readdirSync(kept())).toEqual([])
    expect(await forgetOldFiles()).toBeGreaterThan(0)
    const { code, stderr } = await run('statement', ...asked, '--out', 'late', '--as-of', snapshot)
    expect([code, stderr]).toEqual([1, expect.stringContaining('its files were vacuumed')])
    expect(stderr).toContain('made with --keep')
    expect(readdirSync(cwd).filter((name) => name.startsWith('late'))).toEqual([])
  })

  it('cannot be repeated after the same vacuum if it was not kept, and says so in advance', async () => {
    const { snapshot, stdout } = await write('first')
    expect(stdout).toContain('until vacuum removes files of that snapshot; with --keep it spares them')
    await succeed('compact')
    expect(await forgetOldFiles()).toBeGreaterThan(0)
    expect((await run('statement', ...asked, '--out', 'again', '--as-of', snapshot)).code).toBe(1)
  })

  it('is listed by status with its days, the time and the bytes that a vacuum would free', async () => {
    const { snapshot, digest } = await write('first', '--keep')
    await write('same', '--keep', '--as-of', snapshot)
    await succeed('compact')
    const { kept: listed } = JSON.parse(await succeed('status', '--json'))
    expect(listed).toEqual([
      {
        ...{ id: digest, snapshot, bytes: expect.any(Number) },
        since: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        reason: 'Statement of owner owner-a, 2025-01-01 to 2025-12-31 (UTC)',
      },
    ])
    expect(await succeed('status')).toMatch(
      new RegExp(
        `\n${digest.slice(0, 12)}  20\\d\\d-\\d\\d-\\d\\d  +\\S+ kB  Statement of owner owner-a, 2025`,
      ),
    )
    await succeed('statement', '--release', digest)
    const { tables } = JSON.parse(await succeed('vacuum', '--keep-hours', '0', '--dry-run', '--json'))
    const freed = tables.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0)
    expect(freed).toBeGreaterThan(0)
    expect(listed[0].bytes).toBe(freed)
    expect(JSON.parse(await succeed('status', '--json')).kept).toEqual([])
  })

  it('is not written if its snapshot cannot be kept', async () => {
    writeFileSync(kept(), 'a file')
    const { code, stderr } = await run('statement', ...asked, '--out', 'year', '--keep')
    expect([code, stderr]).toEqual([4, expect.stringContaining(`The lake ${made.folder} cannot be written`)])
    expect(readdirSync(cwd)).toEqual([])
  })

  it('is not released by other digits, and the error lists those that are kept', async () => {
    const none = await run('statement', '--release', '0123456789ab')
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('none is kept')])
    const { digest } = await write('first', '--keep')
    for (const digits of ['0123456789ab', digest.slice(0, 7), '']) {
      const { code, stderr } = await run('statement', '--release', digits)
      expect([code, stderr]).toEqual([1, expect.stringContaining(`use one of ${digest.slice(0, 12)}`)])
    }
    expect(readdirSync(kept())).toEqual([`${digest}.json`])
  })

  it('needs --out unless one is released', async () => {
    const { code, stderr } = await run('statement', ...asked)
    expect([code, stderr]).toEqual([2, expect.stringContaining('--out is missing')])
  })
})

describe('the record of a kept statement', () => {
  it.each([
    ['no JSON', () => '{"snapshot":', 'cannot be read'],
    [
      'another snapshot',
      (text: string) => text.replace(/"([a-z]{3})(\d+)/, '"$1$29'),
      'is not a snapshot of this lake',
    ],
  ])('with %s is a fault for verify, and stops vacuum before it removes a file', async (_, damage, words) => {
    const { digest, snapshot } = await write('first', '--keep')
    const path = join(kept(), `${digest}.json`)
    const text = damage(readFileSync(path, 'utf8'))
    writeFileSync(path, text)
    await succeed('compact')
    const { code, stderr } = await run('vacuum', '--keep-hours', '0')
    expect([code, stderr]).toEqual([4, expect.stringContaining(words)])
    const verified = await run('verify')
    expect([verified.code, verified.stdout]).toEqual([4, expect.stringContaining(`_kept/${digest}.json`)])
    await write('repaired', '--keep', '--as-of', snapshot)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ snapshot })
    expect(await forgetOldFiles()).toBe(0)
  })

  it('is whole or absent: what a dying command leaves is ignored', async () => {
    const { digest } = await write('first', '--keep')
    writeFileSync(join(kept(), `.${digest}.4711`), '{"snap')
    expect(JSON.parse(await succeed('status', '--json')).kept).toHaveLength(1)
    expect(await succeed('verify')).not.toContain('_kept')
    await succeed('compact')
    expect(await forgetOldFiles()).toBe(0)
  })

  it('is not made for a snapshot whose files a vacuum has removed', async () => {
    const at = await new Lake(made.folder).latest()
    await succeed('compact')
    expect(await forgetOldFiles()).toBeGreaterThan(0)
    const records = keptInFolder(made.folder)
    const record = { id: 'a'.repeat(64), since: '2026-01-01T00:00:00Z', reason: 'a test' }
    const keeping = keepSnapshot({ lake: made.folder, records, elsewhere: undefined }, at, record)
    await expect(keeping).rejects.toMatchObject({ code: 'gone' })
    expect(await records.read()).toEqual(new Map())
  })
})

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { damageLog } from '../../../src/cli/serving/damage-log.ts'
import type { DataFile } from '../../../src/lake/facts/data-file.ts'
import { type CheckedFiles, openCheckedFiles } from '../../../src/lake/integrity/checked-files.ts'
import { checksLoad } from '../../../src/lake/integrity/checks-load.ts'
import { keepChecked, type ScrubOptions } from '../../../src/lake/integrity/keep-checked.ts'
import { readVerdict, type Verdict, writeVerdict } from '../../../src/lake/integrity/verdict.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'

let lake = ''
let at: Snapshot
let files: readonly DataFile[] = []
let told: Verdict[] = []
let log: string[] = []
let checked: CheckedFiles

beforeAll(async () => {
  lake = await smallLake('a commit for each file')
  at = await new Lake(lake).latest()
  files = at.tables.flatMap((table) => table.files)
})

beforeEach(() => {
  // What is still looked at from the test before is told to its own lists.
  const [verdicts, sentences]: [Verdict[], string[]] = [[], []]
  ;[told, log] = [verdicts, sentences]
  const say = (sentence: string) => sentences.push(sentence)
  const logDamage = damageLog(lake, { error: say, warn: say } as never)
  const onVerdict = (verdict: Verdict) => {
    verdicts.push(verdict)
    logDamage(verdict)
  }
  checked = openCheckedFiles({ lake, onVerdict })
})

function keep(options: Partial<ScrubOptions> = {}): void {
  const given = { bytesPerSecond: 2 ** 30, periodMs: 0, lookAgainMs: 5, ...options }
  const { close } = keepChecked(
    checked,
    () => at,
    given,
    (error) => log.push(String(error)),
  )
  onTestFinished(close)
}

const load = () => checksLoad(checked, at)
const timesOf = ({ path }: DataFile) => told.filter(({ file }) => file.path === path).length

describe('the background check', () => {
  it('hashes each unchecked file, newest months first', async () => {
    expect(load()).toMatchObject({ unchecked: files.length, damaged: 0, oldestSeconds: undefined })
    keep()
    await expect.poll(load).toMatchObject({ unchecked: 0, damaged: 0, files: expect.any(Number) })
    const monthsOf = (paths: readonly { path: string }[]) =>
      paths.flatMap(({ path }) => /month=([\d-]+)/.exec(path)?.[1] ?? [])
    const expected = monthsOf(files).sort().reverse()
    expect(new Set(expected).size).toBeGreaterThan(1)
    // What was written a moment ago is looked at once more.
    expect(monthsOf(told.map(({ file }) => file)).slice(0, expected.length)).toEqual(expected)
    expect(load().oldestSeconds).toBeLessThan(60)
  })

  it('skips unchanged files, and hashes them again after the period', async () => {
    const [file] = some(files)
    keep()
    await expect
      .poll(() => checked.verdicts.now(file))
      .toMatchObject({ file: { path: file.path, sha256: file.sha256 } })
    const before = timesOf(file)
    await expect.poll(() => some(files).every((one) => checked.verdicts.now(one))).toBe(true)
    expect(timesOf(file)).toBe(before)
    keep({ periodMs: 1 })
    await expect.poll(() => timesOf(file)).toBeGreaterThan(before + 1)
  })

  it('leaves files to the process that has this task', async () => {
    let asked = 0
    keep({ isMine: async () => ++asked < 0 })
    await expect.poll(() => asked).toBeGreaterThan(2)
    expect(told).toEqual([])
  })

  it.each([
    [
      'changed',
      (path: string, whole: Buffer) => writeFileSync(path, Buffer.from(whole).fill(1, 9, 99)),
      'its SHA-256 is another one',
    ],
    ['removed', (path: string) => rmSync(path), 'it is missing'],
  ])('finds a file that is %s and its repair, and logs each once', async (_, harm, fault) => {
    const [{ path }] = some(
      at.tables.flatMap((table) => table.files.filter(({ partition }) => partition === null)),
    )
    const whole = readFileSync(path)
    keep()
    await expect.poll(() => load().unchecked).toBe(0)
    harm(path, whole)
    await expect.poll(() => load().damaged).toBe(1)
    // Whoever else looks at it says the same.
    const file = some(files.filter((one) => one.path === path))[0]
    await checked.check(file)
    writeFileSync(path, whole)
    await expect.poll(() => load().damaged).toBe(0)
    const name = relative(lake, path)
    expect(log).toEqual([
      `${name} of the lake is damaged: ${fault}. Answers that need it are refused until it is repaired: ledgerlake verify --lake DIR --repair`,
      `${name} of the lake is sound again.`,
    ])
  })
})

it('the verdict of one process is accepted by another, as JSON', async () => {
  const [file] = some(files)
  const other = openCheckedFiles({ lake })
  await expect.poll(async () => (await checked.check(file)).isSettled).toBe(true)
  for (const verdict of told)
    other.verdicts.learn(readVerdict(JSON.parse(JSON.stringify(writeVerdict(verdict)))))
  expect(await other.read([file], async () => 'read')).toBe('read')
  expect(other.work.files).toBe(0)
  other.verdicts.learn(
    readVerdict(
      JSON.parse(JSON.stringify(writeVerdict({ ...(told.at(-1) as Verdict), fault: 'it is bad' }))),
    ),
  )
  await expect(other.read([file], async () => 'read')).rejects.toThrow('is damaged: it is bad.')
})

it('metrics count damaged files', async () => {
  const { server, checkedFiles } = await buildTestServer(lake)
  const [file] = some(files)
  const metrics = async () => (await server.inject('/metrics')).body
  expect(await metrics()).toMatch(/^ledgerlake_damaged_files 0$/m)
  checkedFiles.verdicts.learn({ ...(await checkedFiles.check(file)), fault: 'it is bad' })
  expect(await metrics()).toMatch(/^ledgerlake_damaged_files 1$/m)
  expect(await metrics()).toMatch(/^ledgerlake_files_checked_total \d+$/m)
  for (const one of files) await checkedFiles.check(one)
  expect(await metrics()).toMatch(/^ledgerlake_unchecked_files 0$/m)
})

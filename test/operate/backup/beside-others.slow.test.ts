import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { type Finished, runProgram, startProgram } from '../../support/servers/run-program.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The built program backs up, restores, and is killed, while others ingest, compact and vacuum. */

let home = ''
/** Oracle files of 40 days, which close a month. */
let input = ''

const run = (...args: string[]) => runProgram(args, { cwd: home })
const backupsIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => /^\d{4}-/.test(name)) : []
const snapshotOf = async (lake: string) => (await new Lake(lake).latest()).id

beforeAll(async () => {
  home = await temporaryFolder()
  input = join(home, 'input')
  expect(await run('sample', '--out', 'input', '--hotspots', '200', '--days', '40')).toMatchObject({
    code: 0,
  })
})

/** Every file is as the log says, and every answer can be given. */
async function expectWhole(lake: string): Promise<void> {
  const checked = await run(
    'backup',
    '--lake',
    lake,
    '--to',
    join(home, `check-${basename(lake)}-${Date.now()}`),
  )
  expect(checked).toMatchObject({ code: 0, stderr: '' })
  const server = await buildTestServer(lake)
  expect(Object.keys(await everyAnswer(server)).length).toBeGreaterThan(10)
  await server.close()
}

/** Runs a command and kills it after some time; gives whether the kill came before its end. */
async function killAfter(ms: number, ...args: string[]): Promise<boolean> {
  const { child, finished } = startProgram(args, { cwd: home })
  await Promise.race([finished, setTimeout(ms)])
  child.kill('SIGKILL')
  const { code, stderr } = await finished
  expect([null, 0], stderr).toContain(code)
  return code === null
}

it('a killed backup leaves older backups unchanged, and the next one completes', async () => {
  const random = openRandom(deriveSeed('backup', 'kills'))
  const files = readdirSync(input, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.gz'),
  )
  const [lake, to] = [join(home, 'killed'), join(home, 'killed-backups')]
  expect(await run('ingest', join(input), '--lake', lake, '--only', 'reward_manifest')).toMatchObject({
    code: 0,
  })
  const began = performance.now()
  expect(await run('backup', '--lake', lake, '--to', to)).toMatchObject({ code: 0 })
  const usual = performance.now() - began
  let kills = 0
  for (let round = 0; round < 25; round += 1) {
    const part = files.slice(round * 6, round * 6 + 6).map((name) => join(input, name))
    if (part.length > 0) expect(await run('ingest', ...part, '--lake', lake)).toMatchObject({ code: 0 })
    const before = Object.fromEntries(backupsIn(to).map((name) => [name, contentOf(join(to, name))]))
    if (await killAfter(random.below(Math.ceil(usual * 1.2)), 'backup', '--lake', lake, '--to', to))
      kills += 1
    for (const [name, content] of Object.entries(before)) expect(contentOf(join(to, name))).toEqual(content)
    const newest = join(to, some(backupsIn(to)).at(-1) as string)
    expect((await new Lake(newest).latest()).tables.length).toBeGreaterThan(0)
  }
  expect(kills).toBeGreaterThan(10)
  expect(await run('backup', '--lake', lake, '--to', to)).toMatchObject({ code: 0, stderr: '' })
  const newest = join(to, some(backupsIn(to)).at(-1) as string)
  expect(await snapshotOf(newest)).toBe(await snapshotOf(lake))
  expect(readdirSync(newest).filter((name) => name.startsWith('_'))).toEqual(['_backup.json'])
  await expectWhole(newest)
})

it('a killed restore leaves the previous lake, and the same restore completes when run again', async () => {
  const random = openRandom(deriveSeed('restore', 'kills'))
  const [old, lake, to] = [join(home, 'old'), join(home, 'source'), join(home, 'source-backups')]
  expect(await run('ingest', input, '--lake', lake)).toMatchObject({ code: 0 })
  expect(await run('ingest', input, '--lake', old, '--only', 'reward_manifest')).toMatchObject({ code: 0 })
  expect(await run('backup', '--lake', lake, '--to', to)).toMatchObject({ code: 0 })
  const [before, after] = [await snapshotOf(old), await snapshotOf(lake)]
  const began = performance.now()
  expect(await run('restore', '--from', to, '--lake', 'timed')).toMatchObject({ code: 0 })
  const usual = performance.now() - began
  let kills = 0
  for (let round = 0; round < 20; round += 1) {
    const place = join(home, `restored-${round}`)
    cpSync(old, place, { recursive: true })
    const words = ['restore', '--from', to, '--lake', place, '--replace']
    if (await killAfter(random.below(Math.ceil(usual * 1.1)), ...words)) kills += 1
    if (!existsSync(join(place, '_restored'))) expect([before, after]).toContain(await snapshotOf(place))
    expect(await run(...words)).toMatchObject({ code: 0, stderr: '' })
    expect(await snapshotOf(place)).toBe(after)
  }
  expect(kills).toBeGreaterThan(8)
  await expectWhole(join(home, 'restored-19'))
})

it('each backup taken during ingests, compactions and vacuums is a readable snapshot', async () => {
  const files = readdirSync(input, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.gz'),
  )
  const [lake, to] = [join(home, 'busy'), join(home, 'busy-backups')]
  mkdirSync(to)
  expect(
    await run('ingest', ...files.slice(0, 20).map((name) => join(input, name)), '--lake', lake),
  ).toMatchObject({ code: 0 })
  let going = true
  const others = async () => {
    for (let first = 20; first < files.length; first += 12) {
      const part = files.slice(first, first + 12).map((name) => join(input, name))
      expect(await run('ingest', ...part, '--lake', lake)).toMatchObject({ code: 0 })
      expect(await run('compact', '--month', '2025-01,2025-02', '--lake', lake)).toMatchObject({ code: 0 })
      expect(await run('vacuum', '--keep-hours', '0', '--lake', lake)).toMatchObject({ code: 0 })
    }
    going = false
  }
  const taken: Finished[] = []
  const backups = async () => {
    while (going) taken.push(await run('backup', '--lake', lake, '--to', to, '--json'))
  }
  await Promise.all([others(), backups()])
  expect(taken.length).toBeGreaterThan(5)
  for (const { code, stderr } of taken) expect([code, stderr]).toEqual([0, ''])
  const names = backupsIn(to)
  expect(names).toHaveLength(taken.length)
  const whole = names.filter((_, place) => place % Math.ceil(names.length / 5) === 0)
  for (const name of some(whole)) await expectWhole(join(to, name))
  const snapshots = taken.map(({ stdout }) => JSON.parse(stdout).snapshot)
  expect(new Set(snapshots).size).toBeGreaterThan(3)
  for (const [place, name] of names.entries()) expect(await snapshotOf(join(to, name))).toBe(snapshots[place])
})

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePipe } from '../support/make-pipe.ts'
import { frameFile, operational } from '../support/messages/oracle-messages.ts'
import { runMain } from '../support/servers/run-main.ts'
import { type Finished, runProgram } from '../support/servers/run-program.ts'
import { loggedSources } from '../support/tables/read-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { matching } from './case.ts'
import { stored } from './cases/file-faults.ts'
import { paths } from './cases/paths.ts'

const given = paths.filter((item) => item.isGiven).map((item) => item.path)
const share = frameFile([operational(5)])

let folder = ''
let run: Finished

const namesIn = (lake: string) =>
  loggedSources(join(folder, lake), 'iot_reward_shares').map((source) => source.name)

/** All paths in one run, by a user to whom none of it belongs, into a lake that holds one file. */
beforeAll(async () => {
  folder = await temporaryFolder()
  chmodSync(folder, 0o777)
  for (const name of ['in', 'outside', 'first']) mkdirSync(join(folder, name))
  for (const item of paths) await item.prepare(folder)
  writeFileSync(join(folder, 'first', stored.name), stored.bytes)
  writeFileSync(join(folder, 'in', 'iot_reward_share.2.gz'), share)
  const ingest = (...words: string[]) =>
    runProgram(['ingest', ...words, '--lake', 'lake'], { cwd: folder, asOther: true })
  expect(await ingest('first')).toMatchObject({ code: 0, stderr: '' })
  run = await ingest('in', ...given)
})
afterAll(async () => {
  // What may not be read cannot be removed either.
  execFileSync('chmod', ['-R', 'u+rwX', folder])
})

describe('a path that is not a readable file is reported with the reason:', () => {
  it.each(paths.map((item) => [item.name, item] as const))('%s', (_, item) => {
    const start = `failed: ${item.path}: `
    const lines = run.stdout.split('\n').filter((line) => line.startsWith(start))
    expect(lines).toHaveLength(1)
    expect(lines[0]?.slice(start.length)).toMatch(matching(item.reason, realpathSync(folder)))
  })

  it('and the run exits with 3 after storing the other files', () => {
    expect([run.code, run.stderr]).toEqual([3, ''])
    expect(run.stdout).toContain(
      `${paths.length + 1} files read: 1 stored, 0 skipped (already in), ${paths.length} failed\n`,
    )
    expect(namesIn('lake')).toEqual([stored.name, 'iot_reward_share.2.gz'])
  })
})

describe('a symbolic link', () => {
  /** A folder of one file, and links; what is made goes in with a fresh lake. */
  async function takeIn(number: number, prepare: (input: string) => void, path?: string): Promise<Finished> {
    const input = join(folder, `links-${number}`)
    mkdirSync(join(input, 'deep'), { recursive: true })
    writeFileSync(join(input, 'deep', 'content'), share)
    prepare(input)
    const words = ['ingest', path ?? input, '--lake', `lake-${number}`]
    const taken = await runMain(words, { cwd: folder })
    expect([taken.code, taken.stderr]).toEqual([0, ''])
    return taken
  }

  it('to a file inside the folder is followed', async () => {
    await takeIn(1, (input) => symlinkSync(join('deep', 'content'), join(input, 'iot_reward_share.3.gz')))
    expect(namesIn('lake-1')).toEqual(['iot_reward_share.3.gz'])
  })

  it('to a folder inside the folder, even to itself, ingests nothing twice and never loops', async () => {
    const { stdout } = await takeIn(2, (input) => {
      symlinkSync('.', join(input, 'again'))
      symlinkSync('..', join(input, 'deep', 'up'))
      writeFileSync(join(input, 'deep', 'iot_reward_share.4.gz'), share)
    })
    expect(stdout).toContain('1 file read: 1 stored, 0 skipped (already in), 0 failed\n')
    expect(namesIn('lake-2')).toEqual(['iot_reward_share.4.gz'])
  })

  it('that is named on the command line is followed to any folder or file', async () => {
    const files = (input: string) => {
      writeFileSync(join(input, 'deep', 'iot_reward_share.5.gz'), share)
      symlinkSync(join(input, 'deep'), join(folder, 'to-folder'))
      symlinkSync(join(input, 'deep', 'content'), join(folder, 'iot_reward_share.6.gz'))
    }
    await takeIn(3, files, 'to-folder')
    expect(namesIn('lake-3')).toEqual(['iot_reward_share.5.gz'])
    await takeIn(4, () => {}, 'iot_reward_share.6.gz')
    expect(namesIn('lake-4')).toEqual(['iot_reward_share.6.gz'])
  })
})

it('a pipe, and a file whose name is not UTF-8, are ignored when their names match no kind', async () => {
  const strange = join(folder, 'strange')
  mkdirSync(strange)
  makePipe(join(strange, 'agent'))
  writeFileSync(Buffer.from(join(strange, 'latin-\xe9.txt'), 'latin1'), '')
  const taken = await runMain(['ingest', 'strange', '--lake', 'unmade'], { cwd: folder })
  expect([taken.code, taken.stderr]).toEqual([0, ''])
  expect(taken.stdout).toContain(
    '2 files of a kind not yet known, skipped:\n  strange/agent\n  strange/latin-\uFFFD.txt\n',
  )
})

it('a missing path creates no lake', async () => {
  const { code, stdout } = await runMain(['ingest', 'nowhere', '--lake', 'unmade'], { cwd: folder })
  expect(code).toBe(3)
  expect(stdout).toContain('failed: nowhere: no such file or folder\n')
  const { stderr } = await runMain(['status', '--lake', 'unmade'], { cwd: folder })
  expect(stderr).toContain('There is no lake at unmade')
})

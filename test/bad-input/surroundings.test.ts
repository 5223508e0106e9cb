import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { contentOf } from '../support/lakes/lake-content.ts'
import { frameFile, operational } from '../support/messages/oracle-messages.ts'
import { runMain } from '../support/servers/run-main.ts'
import { runProgram } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { tier } from '../support/tier.ts'
import { matching, type SurroundingsCase } from './case.ts'
import { damages } from './cases/damage.ts'
import { surroundings } from './cases/surroundings.ts'

const isRoot = process.getuid?.() === 0

/** A working folder with a lake of two versions and a file to take in; every case gets a copy. */
let sound = ''

beforeAll(async () => {
  sound = await temporaryFolder()
  for (const [number, folder] of ['first', 'second', 'new'].entries()) {
    mkdirSync(join(sound, folder))
    const shares = Array.from({ length: 500 }, (_, index) => operational(index))
    writeFileSync(join(sound, folder, `iot_reward_share.${number}.gz`), frameFile(shares))
  }
  for (const folder of ['first', 'second'])
    expect(await runMain(['ingest', folder, '--lake', 'lake'], { cwd: sound })).toMatchObject({ code: 0 })
})

/** A copy of the working folder that everybody may enter, on a file system of its own if that is asked for. */
async function workingFolder(fileSystemKb?: number): Promise<string> {
  const folder = await temporaryFolder()
  if (fileSystemKb !== undefined) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${fileSystemKb}k`, 'none', folder])
    onTestFinished(() => void execFileSync('umount', [folder]))
  }
  for (const name of ['lake', 'new']) cpSync(join(sound, name), join(folder, name), { recursive: true })
  chmodSync(folder, 0o755)
  onTestFinished(() => giveBack(folder))
  return realpathSync(folder)
}

/** Lets its owner read and remove what a case took away; a file system that is read-only took nothing away. */
function giveBack(folder: string): void {
  spawnSync('chmod', ['-R', 'u+rwX', folder])
}

async function refuses(item: SurroundingsCase): Promise<void> {
  const folder = await workingFolder(item.fileSystemKb)
  const before = contentOf(join(folder, 'lake'))
  await item.prepare(folder)
  if (item.isReadOnly) execFileSync('mount', ['-o', 'remount,ro', folder])
  const { asOther = false, fileBlocks } = item
  // A process of its own is needed for another user and for limits; the executable under test is always one.
  const isApart = asOther || fileBlocks !== undefined || tier === 'program'
  const { code, stdout, stderr } = isApart
    ? await runProgram(item.command, {
        cwd: folder,
        asOther,
        ...(fileBlocks !== undefined && { fileBlocks }),
      })
    : await runMain(item.command, { cwd: folder })
  expect(stderr).toMatch(/^ledgerlake: .*\n$/)
  expect(stderr.slice('ledgerlake: '.length, -1)).toMatch(matching(item.sentence, folder))
  expect([code, stdout]).toEqual([item.exit, ''])
  giveBack(folder)
  expect(contentOf(join(folder, 'lake'))).toEqual(before)
  const staging = join(folder, 'lake', '_staging')
  if (existsSync(staging)) expect(readdirSync(staging)).toEqual([])
}

describe('an environment in which the program cannot work is reported, and the lake is unchanged:', () => {
  // Only root may mount a file system and have files of two users; elsewhere these are shown as skipped.
  const needsRoot = (item: SurroundingsCase) => item.fileSystemKb !== undefined || item.isOfOther === true
  const named = (items: readonly SurroundingsCase[]) => items.map((item) => [item.name, item] as const)
  it.each(named(surroundings.filter((item) => !needsRoot(item))))('%s', (_, item) => refuses(item))
  it.skipIf(!isRoot).each(named(surroundings.filter(needsRoot)))('%s', (_, item) => refuses(item))
})

describe('ingest, status and serve report a damaged lake and write nothing:', () => {
  it.each(damages.map((item) => [item.name, item] as const))('%s', async (_, item) => {
    const folder = await workingFolder()
    item.prepare(folder)
    const before = contentOf(join(folder, 'lake'))
    const refused = { code: 4, stdout: '', stderr: `ledgerlake: ${item.sentence}\n` }
    const run = (...words: string[]) => runMain([...words, '--lake', 'lake'], { cwd: folder })
    expect(await run('ingest', 'new')).toEqual(refused)
    if (item.isReadable) expect(await run('status')).toMatchObject({ code: 0, stderr: '' })
    else {
      expect(await run('status')).toEqual(refused)
      expect(await run('serve', '--port', '0')).toEqual(refused)
    }
    expect(contentOf(join(folder, 'lake'))).toEqual(before)
  })
})

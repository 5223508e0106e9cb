import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { addApiKey } from '../../src/cli/commands/keys/keys-add.ts'
import { readKeys } from '../../src/keys/key-file.ts'
import { openKeys } from '../../src/services/keys.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { program } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const terms = { features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null }
const full = async () => {
  throw Object.assign(new Error('write'), { code: 'ENOSPC' })
}

let lake: string

beforeEach(async () => {
  lake = join(await temporaryFolder(), 'lake')
  mkdirSync(join(lake, 'makers', '_delta_log'), { recursive: true })
})

const add = (name: string, show: (lines: readonly string[]) => Promise<void>) =>
  addApiKey(readSettings({}, { lake }), { ...terms, name }, show)
const keysOf = async () =>
  ((await readKeys(join(lake, '_keys', 'keys.ndjson'))) ?? []).map(({ name, revoked }) => [
    name,
    revoked !== undefined,
  ])

async function isLocked(): Promise<boolean> {
  const { keys, close } = await openKeys(readSettings({}, { lake }), (error) => expect.fail(String(error)))
  await close()
  return keys.isLocked()
}

describe('a key that could not be printed', () => {
  it('is removed, and a lake without keys stays open', async () => {
    await expect(add('a', full)).rejects.toThrow(
      'The key of "a" cannot be shown: no space is left. It was taken back; add it again where standard output can be written.',
    )
    expect([await keysOf(), await isLocked()]).toEqual([[], false])
  })

  it('is revoked among other keys, and its name can be used again', async () => {
    await add('a', async () => {})
    await expect(add('b', full)).rejects.toThrow('It was taken back')
    await add('b', async () => {})
    expect(await keysOf()).toEqual([
      ['a', false],
      ['b', true],
      ['b', false],
    ])
  })

  it('does not open a lake without its key file', async () => {
    await add('a', async () => {})
    rmSync(join(lake, '_keys'), { recursive: true })
    await expect(add('b', full)).rejects.toThrow('It was taken back')
    expect(await isLocked()).toBe(true)
  })

  it.runIf(existsSync('/dev/full'))('is withdrawn by the program on a full disk', async () => {
    const args = ['-c', '"$@" > /dev/full', 'sh', ...program, 'keys', 'add', '--name', 'a', '--lake', lake]
    const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8' })
    expect([status, stderr, await keysOf()]).toEqual([
      2,
      expect.stringContaining('cannot be shown: no space is left. It was taken back'),
      [],
    ])
  })
})

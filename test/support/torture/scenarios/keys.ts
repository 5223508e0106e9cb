import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { followKeys } from '../../../../src/operate/keys/key-ring.ts'
import { must, runMain } from '../../run-main.ts'
import type { Scenario } from '../scenario.ts'

/** The file of keys. */

const keysIn = (folder: string) => join(folder, 'keys', 'keys.ndjson')
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? ''
const ignore = () => {}

/** Which of some keys are let in; nobody is while the file is missing, and it is for its owner alone. */
async function lets(folder: string, keys: readonly string[]): Promise<readonly boolean[]> {
  if (!existsSync(keysIn(folder))) return keys.map(() => false)
  assert.equal(statSync(keysIn(folder)).mode & 0o077, 0, 'others may read the key file')
  const ring = await followKeys(keysIn(folder), 60_000, ignore)
  try {
    assert.ok(ring.isLocked(), 'requests need no key any more')
    return keys.map((key) => ring.find(key) !== undefined)
  } finally {
    await ring.close()
  }
}

const leftBeside = (folder: string) =>
  readdirSync(join(folder, 'keys'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /lock.|\.tmp/.test(name),
  )

const add = (folder: string, name: string) =>
  runMain(['keys', 'add', '--name', name, '--keys', keysIn(folder)])

function adding(isFirst: boolean): Scenario {
  let older: string | undefined
  let told: string | undefined
  return {
    name: isFirst ? 'keys add, the first' : 'keys add',
    async prepare(folder) {
      mkdirSync(join(folder, 'keys'))
      if (!isFirst) older = lastLine((await add(folder, 'older')).stdout)
    },
    async act(folder) {
      const ended = await add(folder, 'newer')
      if (ended.code === 0) told = lastLine(ended.stdout)
      // It was added the first time, and then something else failed.
      const isThere = ended.code === 2 && ended.stderr.includes('There is a key of the name "newer" already')
      return isThere ? { ...ended, code: 0 } : ended
    },
    async check(folder, ended) {
      const keys = [older, ended?.code === 0 ? told : undefined].filter((key) => key !== undefined)
      assert.deepEqual(
        await lets(folder, keys),
        keys.map(() => true),
        'a key that was given out is not accepted',
      )
    },
    async checkEnd(folder) {
      const listed = await must('keys', 'list', '--json', '--keys', keysIn(folder))
      const names = listed
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { name: string }).name)
      assert.deepEqual(names, isFirst ? ['newer'] : ['older', 'newer'])
      assert.deepEqual(leftBeside(folder), [], 'something is left beside the key file')
    },
  }
}

function revoking(): Scenario {
  let [kept, revoked] = ['', '']
  return {
    name: 'keys revoke',
    async prepare(folder) {
      mkdirSync(join(folder, 'keys'))
      kept = lastLine((await add(folder, 'kept')).stdout)
      revoked = lastLine((await add(folder, 'revoked')).stdout)
    },
    async act(folder) {
      const ended = await runMain(['keys', 'revoke', 'revoked', '--keys', keysIn(folder)])
      const isGone = ended.code === 1 && ended.stderr.includes('No key in use has the name')
      return isGone ? { ...ended, code: 0 } : ended
    },
    async check(folder, ended) {
      const [isKept, isLetIn] = await lets(folder, [kept, revoked])
      assert.ok(isKept, 'another key is not accepted any more')
      if (ended?.code === 0) assert.ok(!isLetIn, 'a revoked key is accepted')
    },
    async checkEnd(folder) {
      assert.deepEqual(await lets(folder, [kept, revoked]), [true, false])
      // A key that is revoked already takes no lock; what an ended process left goes with the next change.
      assert.equal((await add(folder, 'another')).code, 0)
      assert.deepEqual(leftBeside(folder), [], 'something is left beside the key file')
    },
  }
}

export const keys: readonly Scenario[] = [adding(true), adding(false), revoking()]

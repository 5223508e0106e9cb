import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { followKeys } from '../../../../src/keys/key-ring.ts'
import { must } from '../../../support/servers/run-main.ts'
import { type CommandScenario, ofCommand } from '../scenario.ts'

const keysIn = (folder: string) => join(folder, 'keys', 'keys.ndjson')
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? ''
const line = (folder: string, ...words: readonly string[]) => ['keys', ...words, '--keys', keysIn(folder)]
const add = async (folder: string, name: string) =>
  lastLine(await must(...line(folder, 'add', '--name', name)))

/** Which of some keys are let in; nobody is while the file is missing, and it is for its owner alone. */
async function lets(folder: string, keys: readonly string[]): Promise<readonly boolean[]> {
  if (!existsSync(keysIn(folder))) return keys.map(() => false)
  assert.equal(statSync(keysIn(folder)).mode & 0o077, 0, 'others may read the key file')
  const ring = await followKeys(keysIn(folder), 60_000, () => {})
  try {
    assert.ok(ring.isLocked(), 'requests need no key any more')
    return keys.map((key) => ring.find(key) !== undefined)
  } finally {
    await ring.close()
  }
}

function checkNothingBeside(folder: string): void {
  const names = readdirSync(join(folder, 'keys'), { recursive: true, encoding: 'utf8' })
  const left = names.filter((name) => /lock.|\.tmp/.test(name))
  assert.deepEqual(left, [], 'something is left beside the key file')
}

function adding(isFirst: boolean): CommandScenario {
  let older: readonly string[] = []
  return ofCommand({
    name: isFirst ? 'keys add, the first' : 'keys add',
    doneAlready: /There is a key of the name "newer" already/,
    async prepare(folder) {
      mkdirSync(join(folder, 'keys'))
      if (!isFirst) older = [await add(folder, 'older')]
    },
    command: (folder) => line(folder, 'add', '--name', 'newer'),
    async check(folder, ended) {
      // It may be there already when something failed after it was added.
      const isTold = ended?.code === 0 && ended.stdout !== ''
      const keys = [...older, ...(isTold ? [lastLine(ended.stdout)] : [])]
      const expected = keys.map(() => true)
      assert.deepEqual(await lets(folder, keys), expected, 'a key that was given out is not accepted')
    },
    async checkEnd(folder) {
      const listed = (await must(...line(folder, 'list', '--json'))).trimEnd().split('\n')
      const names = listed.map((key) => (JSON.parse(key) as { name: string }).name)
      assert.deepEqual(names, isFirst ? ['newer'] : ['older', 'newer'])
      checkNothingBeside(folder)
    },
  })
}

function revoking(): CommandScenario {
  let [kept, revoked] = ['', '']
  return ofCommand({
    name: 'keys revoke',
    doneAlready: /No key in use has the name/,
    async prepare(folder) {
      mkdirSync(join(folder, 'keys'))
      kept = await add(folder, 'kept')
      revoked = await add(folder, 'revoked')
    },
    command: (folder) => line(folder, 'revoke', 'revoked'),
    async check(folder, ended) {
      const [isKept, isLetIn] = await lets(folder, [kept, revoked])
      assert.ok(isKept, 'another key is not accepted any more')
      if (ended?.code === 0) assert.ok(!isLetIn, 'a revoked key is accepted')
    },
    async checkEnd(folder) {
      assert.deepEqual(await lets(folder, [kept, revoked]), [true, false])
      // A key that is revoked already takes no lock; what an ended process left goes with the next change.
      await add(folder, 'another')
      checkNothingBeside(folder)
    },
  })
}

export const keys: readonly CommandScenario[] = [adding(true), adding(false), revoking()]

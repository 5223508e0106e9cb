import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import fs, { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { addKey, readKeys, revokeKey } from '../../src/keys/key-file.ts'
import { changeAlone } from '../../src/lake/runs/change-alone.ts'
import { newRunId } from '../../src/lake/runs/run-owner.ts'
import { crash, crashing, crashingCalls, crashModes } from '../support/crash.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

replaceBuiltin(fs, crashingCalls)

const now = new Date('2026-11-22T10:00:00Z')
const terms = (name: string) => ({
  name,
  features: [],
  ratePerMinute: null,
  quotaPer30Days: null,
  lookbackDays: null,
})
const freshFile = async () => join(await temporaryFolder(), '_keys', 'keys.ndjson')
const namesIn = async (path: string) => (await readKeys(path))?.map(({ name }) => name)

/** What a crashed change of this process left is as if its process were gone. */
function endChange(path: string): void {
  const locks = `${path}.lock`
  for (const name of existsSync(locks) ? readdirSync(locks) : []) {
    const [space, , ...id] = name.split('-')
    renameSync(join(locks, name), join(locks, [space, 2147483646, ...id].join('-')))
  }
}

/** Without what is noted of those that are elsewhere. */
const foldersIn = (lock: string) => readdirSync(lock).filter((name) => !name.startsWith('.'))

describe('a change of the key file', () => {
  it('is not lost if many come at once', async () => {
    const path = await freshFile()
    const names = Array.from({ length: 8 }, (_, index) => `key ${index}`)
    await Promise.all(names.map((name) => addKey(path, terms(name), now)))
    expect((await namesIn(path))?.sort()).toEqual(names)
    expect(readdirSync(`${path}.lock`)).toEqual([])
  })

  it('is refused to one of two that add the same name at once', async () => {
    const path = await freshFile()
    const outcomes = await Promise.allSettled([1, 2].map(() => addKey(path, terms('a'), now)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await namesIn(path)).toEqual(['a'])
  })

  it.each(crashModes)('leaves the old or the new file at each call that %s', async (mode) => {
    let at = 0
    crash.mode = mode
    for (let isCrashed = true; isCrashed; ) {
      at += 1
      const path = await freshFile()
      const isAddCrashed = await crashing(() => addKey(path, terms('a'), now), at)
      expect([undefined, ['a']]).toContainEqual(await namesIn(path))
      endChange(path)
      if ((await namesIn(path)) === undefined) await addKey(path, terms('a'), now)
      const before = readFileSync(path, 'utf8')
      isCrashed = (await crashing(() => revokeKey(path, 'a', now), at)) || isAddCrashed
      if (readFileSync(path, 'utf8') !== before)
        expect((await readKeys(path))?.map(({ revoked }) => revoked)).toEqual([now.toISOString()])
      endChange(path)
      await addKey(path, terms('b'), now)
      expect(await namesIn(path)).toEqual(['a', 'b'])
    }
    expect(at).toBeGreaterThan(10)
  })

  it('changes nothing on a full disk, and creates no key file there', async () => {
    const path = await freshFile()
    const handle = await open(await temporaryFolder(), 'r')
    await handle.close()
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    const fill = () => {
      const writes = (['appendFile', 'write', 'writeFile'] as const).map((name) =>
        vi.spyOn(Object.getPrototypeOf(handle), name).mockRejectedValue(full),
      )
      return () => writes.map((spy) => spy.mockRestore())
    }
    const refusal = `The keys in ${path} cannot be written: no space is left.`
    const empty = fill()
    await expect(addKey(path, terms('a'), now)).rejects.toThrow(refusal)
    expect(existsSync(path)).toBe(false)
    empty()
    await addKey(path, terms('a'), now)
    const before = readFileSync(path, 'utf8')
    const emptyAgain = fill()
    await expect(addKey(path, terms('b'), now)).rejects.toThrow(refusal)
    await expect(revokeKey(path, 'a', now)).rejects.toThrow(refusal)
    emptyAgain()
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('waits for all earlier changes, however long they take', async () => {
    const path = await freshFile()
    const turns: number[] = []
    const change = (turn: number) =>
      changeAlone(
        path,
        async () => {
          await setTimeout(300)
          turns.push(turn)
        },
        1000,
      )
    await Promise.all([0, 1, 2, 3, 4].map(change))
    expect(turns.sort()).toEqual([0, 1, 2, 3, 4])
  })

  it('waits for a running one, and fails with advice if that one does not end', async () => {
    const path = await freshFile()
    mkdirSync(join(`${path}.lock`, 'of-another-machine'), { recursive: true })
    await expect(changeAlone(path, async () => {}, 0)).rejects.toThrow(
      `Another command is changing ${path}; wait for it, or remove ${path}.lock if none is running.`,
    )
    expect(foldersIn(`${path}.lock`)).toEqual(['of-another-machine'])
    expect(readdirSync(dirname(path))).toEqual([`${basename(path)}.lock`])
  })

  it('starts once the process of the running one is dead', async () => {
    const path = await freshFile()
    const lock = `${path}.lock`
    mkdirSync(join(lock, 'of-another-machine'), { recursive: true })
    let isDone = false
    const waiting = changeAlone(path, async () => {
      isDone = true
      return 'done'
    })
    await setTimeout(100)
    expect(isDone).toBe(false)
    const ofDead = newRunId().replace(`-${process.pid}-`, '-2147483646-')
    renameSync(join(lock, 'of-another-machine'), join(lock, ofDead))
    expect(await waiting).toBe('done')
    expect(readdirSync(lock)).toEqual([])
  })
})

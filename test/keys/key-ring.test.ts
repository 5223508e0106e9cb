import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addKey, revokeKey } from '../../src/keys/key-file.ts'
import { followKeys } from '../../src/keys/key-ring.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitUntil } from '../support/wait.ts'

const now = new Date('2026-11-22T10:00:00Z')
const unlimited = { features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null } as const
const refusal = 'The key file of this server is missing or damaged; no key is accepted until it is restored.'

async function follow(path: string) {
  const told: string[] = []
  const keys = await followKeys(path, 2, (error) => told.push((error as Error).message))
  onTestFinished(() => keys.close())
  return { keys, told }
}

describe('the keys of a server', () => {
  it.each<[string, (path: string) => void, string]>([
    ['missing', (path) => renameSync(path, `${path}.away`), 'is missing. No key is accepted'],
    ['harmed', (path) => truncateSync(path, 100), 'Line 2 of '],
    ['nonsense', (path) => replace(path, 'nonsense}'), 'Line 1 of '],
  ])('are all refused while the key file is %s, which is logged once', async (_, harm, sentence) => {
    const path = join(await temporaryFolder(), 'keys.ndjson')
    const [stays, leaves] = [
      await addKey(path, { name: 'stays', ...unlimited }, now),
      await addKey(path, { name: 'leaves', ...unlimited }, now),
    ]
    const { keys, told } = await follow(path)
    expect([keys.find(stays)?.name, keys.find(leaves)?.name]).toEqual(['stays', 'leaves'])
    await revokeKey(path, 'leaves', now)
    const whole = readFileSync(path)
    harm(path)
    await waitUntil(() => told.length > 0)
    expect(told[0]).toContain(sentence)
    expect(told[0]).toContain('No key is accepted until it is restored.')
    for (const key of [stays, leaves]) expect(() => keys.find(key)).toThrow(refusal)
    expect(keys.isLocked()).toBe(true)
    rmSync(`${path}.away`, { force: true })
    replace(path, whole)
    await waitUntil(() => !isRefused(() => keys.find(stays)))
    expect([keys.find(stays)?.name, keys.find(leaves)]).toEqual(['stays', undefined])
    expect(told).toHaveLength(1)
  })

  it('are required once there is a key file, even a damaged one', async () => {
    const path = join(await temporaryFolder(), 'keys.ndjson')
    const { keys, told } = await follow(path)
    expect(keys.isLocked()).toBe(false)
    replace(path, '{"id":1}\n')
    await waitUntil(() => keys.isLocked())
    expect(told).toHaveLength(1)
    expect(() => keys.find('any')).toThrow(refusal)
  })
})

/** At once, so that nobody sees half of it. */
function replace(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}

function isRefused(ask: () => unknown): boolean {
  try {
    ask()
    return false
  } catch {
    return true
  }
}

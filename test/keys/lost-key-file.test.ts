import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { addApiKey } from '../../src/cli/commands/keys/keys-add.ts'
import { revokeApiKey, turnKeysOff } from '../../src/cli/commands/keys/keys-revoke.ts'
import { addKey } from '../../src/keys/key-file.ts'
import { openKeys } from '../../src/services/keys.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const terms = { name: 'a', features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null }
const print = () => {}
const show = async () => {}
const settings = (folder: string, more = {}) => readSettings({}, { lake: folder, ...more })

let lake: string

beforeEach(async () => {
  lake = join(await temporaryFolder(), 'lake')
  mkdirSync(lake)
})

/** Whether a server that starts now asks for keys. */
async function isLocked(folder: string, more = {}): Promise<boolean> {
  const { keys, close } = await openKeys(settings(folder, more), (error) => expect.fail(String(error)))
  await close()
  return keys.isLocked()
}

const lose = () => rmSync(join(lake, '_keys'), { recursive: true })
const lost = (folder: string) =>
  `The lake ${folder} had keys, and its key file ${folder}/_keys/keys.ndjson is missing; restore it from a copy, ` +
  'add a key (ledgerlake keys add), or serve without keys: ledgerlake keys off once, or --open.'

describe('a lake without its key file', () => {
  it('is not served without keys', async () => {
    expect(await isLocked(lake)).toBe(false)
    await addApiKey(settings(lake), terms, show)
    expect(await isLocked(lake)).toBe(true)
    lose()
    await expect(isLocked(lake)).rejects.toThrow(lost(lake))
  })

  it('is served once a key is added, or without keys after keys off', async () => {
    await addApiKey(settings(lake), terms, show)
    lose()
    expect(await isLocked(lake, { open: 'true' })).toBe(false)
    await addApiKey(settings(lake), terms, show)
    expect(await isLocked(lake)).toBe(true)
    lose()
    await turnKeysOff(settings(lake), print)
    expect(await isLocked(lake)).toBe(false)
  })

  it('is also recognized if an older build added the keys, once this one has served it', async () => {
    await addKey(join(lake, '_keys', 'keys.ndjson'), terms, new Date())
    expect(await isLocked(lake)).toBe(true)
    lose()
    await expect(isLocked(lake)).rejects.toThrow(lost(lake))
  })

  it('may be a copy without the key folder, but not one of only the tables', async () => {
    await addApiKey(settings(lake), terms, show)
    const copy = `${lake}-copy`
    cpSync(lake, copy, { recursive: true, filter: (path) => !path.endsWith('_keys') })
    await expect(isLocked(copy)).rejects.toThrow(lost(copy))
    const tables = `${lake}-tables`
    cpSync(lake, tables, { recursive: true, filter: (path) => !path.includes('/_') })
    expect(await isLocked(tables)).toBe(false)
  })

  it('does not affect a server with another key file', async () => {
    const keys = join(await temporaryFolder(), 'who.ndjson')
    await addApiKey(settings(lake, { keys }), terms, show)
    expect([await isLocked(lake, { keys }), await isLocked(lake)]).toEqual([true, false])
  })
})

describe('the command keys off', () => {
  it('requires that every key is revoked', async () => {
    await addApiKey(settings(lake), terms, show)
    await expect(turnKeysOff(settings(lake), print)).rejects.toThrow(
      `${lake}/_keys/keys.ndjson has keys in use, "a"; revoke them first.`,
    )
    expect(await isLocked(lake)).toBe(true)
    await revokeApiKey(settings(lake), 'a', print)
    expect(await isLocked(lake)).toBe(true)
    await turnKeysOff(settings(lake), print)
    expect(await isLocked(lake)).toBe(false)
  })
})

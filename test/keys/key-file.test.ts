import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { KeyTerms } from '../../src/keys/api-key.ts'
import { addKey, readKeys, removeKeyFile, revokeKey } from '../../src/keys/key-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const terms = (name: string): KeyTerms => ({
  name,
  features: ['HotspotData'],
  ratePerMinute: 60,
  quotaPer30Days: null,
  lookbackDays: 30,
})
const now = new Date('2026-11-21T10:00:00Z')

const freshFile = async () => join(await temporaryFolder(), '_keys', 'keys.ndjson')

describe('the key file', () => {
  it('has the terms of a key and its digest, never the key', async () => {
    const path = await freshFile()
    const text = await addKey(path, terms('an operator'), now)
    expect(text).toMatch(/^ll_[\da-f]{12}_[\da-f]{64}$/)
    const content = readFileSync(path, 'utf8')
    const [, id, secret = ''] = text.split('_')
    expect(content).not.toContain(secret)
    expect(await readKeys(path)).toEqual([
      { ...terms('an operator'), id, sha256: expect.any(String), created: '2026-11-21T10:00:00.000Z' },
    ])
  })

  it('is readable by its owner only', async () => {
    const path = await freshFile()
    await addKey(path, terms('a'), now)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('keeps a revoked key, with the time', async () => {
    const path = await freshFile()
    await addKey(path, terms('a'), now)
    await addKey(path, terms('b'), now)
    await revokeKey(path, 'a', now)
    const keys = (await readKeys(path)) ?? []
    expect(keys.map(({ name, revoked }) => [name, revoked])).toEqual([
      ['a', '2026-11-21T10:00:00.000Z'],
      ['b', undefined],
    ])
  })

  it('accepts a name again only after its key was revoked', async () => {
    const path = await freshFile()
    await addKey(path, terms('a'), now)
    await expect(addKey(path, terms('a'), now)).rejects.toThrow(/There is a key of the name "a" already/)
    await revokeKey(path, 'a', now)
    await addKey(path, terms('a'), now)
    expect(await readKeys(path)).toHaveLength(2)
  })

  it('revokes by id, and lists the names of keys if there is none of that name', async () => {
    const path = await freshFile()
    const text = await addKey(path, terms('a'), now)
    await expect(revokeKey(path, 'b', now)).rejects.toThrow(
      'No key in use has the name or id "b"; there are "a".',
    )
    await revokeKey(path, text.slice(3, 15), now)
    await expect(revokeKey(path, 'a', now)).rejects.toThrow(
      'No key in use has the name or id "a"; there is none.',
    )
  })

  it('revokes a key given in full, and never prints its secret', async () => {
    const path = await freshFile()
    const text = await addKey(path, terms('a'), now)
    await revokeKey(path, text, now)
    const refusal = await revokeKey(path, text, now).catch((error: Error) => error.message)
    expect(refusal).toContain(text.slice(3, 15))
    expect(refusal).not.toContain(text.slice(16, 24))
    await expect(revokeKey(path, `${text}0`, now)).rejects.not.toThrow(text.slice(16, 24))
  })

  it.each([
    ['hello', '"hello"'],
    ['{"id":"x"}', '"{\\"id\\":\\"x\\"}"'],
    ['', '""'],
  ])('with a foreign line is refused with its number: %s', async (line, shown) => {
    const path = await freshFile()
    await addKey(path, terms('a'), now)
    appendFileSync(path, `${line}\n`)
    await expect(readKeys(path)).rejects.toThrow(
      `Line 3 of ${path} is ${shown}, which ledgerlake keys did not write. ` +
        'Restore the file from a copy, or remove it and add keys anew.',
    )
  })

  it('names the reason if it cannot be written', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'taken'), '')
    const path = join(folder, 'taken', 'keys.ndjson')
    await expect(addKey(path, terms('a'), now)).rejects.toThrow(
      /keys in .* cannot be written: a file is in the place/,
    )
    mkdirSync(join(folder, 'folder'))
    await expect(readKeys(join(folder, 'folder'))).rejects.toThrow(/cannot be read: a folder is in the place/)
  })

  it('may be missing', async () => {
    expect(await readKeys(await freshFile())).toBeUndefined()
  })

  it('keeps its owner and its mode when it is replaced, and a symbolic link to it remains', async () => {
    const path = await freshFile()
    await addKey(path, terms('a'), now)
    chmodSync(path, 0o640)
    const link = join(await temporaryFolder(), 'keys.ndjson')
    symlinkSync(path, link)
    const { uid, gid } = statSync(path)
    await addKey(link, terms('b'), now)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(statSync(path)).toMatchObject({ uid, gid, mode: 0o100640 })
    expect(await readKeys(path)).toHaveLength(2)
  })

  it('is removed only if it has no active key', async () => {
    const path = await freshFile()
    await removeKeyFile(path)
    await addKey(path, terms('a'), now)
    await expect(removeKeyFile(path)).rejects.toThrow(`${path} has keys in use, "a"; revoke them first.`)
    await revokeKey(path, 'a', now)
    await removeKeyFile(path)
    expect(await readKeys(path)).toBeUndefined()
  })
})

import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cacheFolders, claimFolder } from '../../../src/cli/single/cache-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const isRoot = process.getuid?.() === 0

describe('the folder for unpacked files', () => {
  const last = join(tmpdir(), `ledgerlake-${process.getuid?.()}`)

  it('is the configured one, if there is one', () => {
    expect(cacheFolders({ LEDGERLAKE_CACHE_DIR: '/srv/x', XDG_CACHE_HOME: '/c' })).toEqual(['/srv/x'])
  })

  it('is otherwise the cache of the user, then a folder of the user among temporary files', () => {
    expect(cacheFolders({ XDG_CACHE_HOME: '/c' })).toEqual(['/c/ledgerlake', last])
    const home = join(homedir(), '.cache', 'ledgerlake')
    for (const XDG_CACHE_HOME of [undefined, '', 'relative'])
      expect(cacheFolders({ XDG_CACHE_HOME, LEDGERLAKE_CACHE_DIR: '' })).toEqual([home, last])
  })
})

describe('claiming a folder', () => {
  it('creates it and its parents once, for its user alone', async () => {
    const base = join(await temporaryFolder(), 'a folder', 'of mine')
    for (let turn = 0; turn < 2; turn += 1) expect(claimFolder(base, 'engine')).toBe(join(base, 'engine'))
    for (const made of [base, join(base, 'engine')]) expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  it.runIf(isRoot).each([[''], ['engine']])('refuses a folder of another user: base/%s', async (name) => {
    const base = await temporaryFolder()
    mkdirSync(join(base, 'engine'), { mode: 0o755 })
    chownSync(join(base, name), 65534, 65534)
    expect(() => claimFolder(base, 'engine')).toThrow(
      `${join(base, name)} belongs to another user (uid 65534)`,
    )
  })

  it.runIf(isRoot)('refuses a folder inside one of another user', async () => {
    const theirs = await temporaryFolder()
    chownSync(theirs, 65534, 65534)
    expect(() => claimFolder(join(theirs, 'mine'), 'engine')).toThrow(`${theirs} belongs to another user`)
  })

  it('refuses a symbolic link', async () => {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(folder, 'link'))
    expect(() => claimFolder(join(folder, 'link'), 'engine')).toThrow('link is a symbolic link')
    symlinkSync(join(folder, 'real'), join(folder, 'real', 'engine'))
    expect(() => claimFolder(join(folder, 'real'), 'engine')).toThrow('engine is a symbolic link')
  })

  it('refuses a folder that other users can write to or replace', async () => {
    const base = await temporaryFolder()
    mkdirSync(join(base, 'engine'))
    chmodSync(join(base, 'engine'), 0o770)
    expect(() => claimFolder(base, 'engine')).toThrow(`others may write to ${join(base, 'engine')}`)
    chmodSync(base, 0o777)
    expect(() => claimFolder(base, 'other')).toThrow(`everybody may rename what is in ${base}`)
    expect(() => claimFolder(join(base, 'below'), 'engine')).toThrow(
      `everybody may rename what is in ${base}`,
    )
    // Those of another group than root's, which root makes; for other users the folder has their own.
    if (isRoot) chownSync(base, 0, 65534)
    chmodSync(base, 0o770)
    for (const folder of [base, join(base, 'below')])
      expect(() => claimFolder(folder, 'other')).toThrow(
        `the group ${statSync(base).gid} may rename what is in ${base}; chmod g-w it`,
      )
    // Only owners may rename in a sticky folder such as /tmp.
    chmodSync(base, 0o1777)
    expect(claimFolder(join(base, 'below'), 'engine')).toBe(join(base, 'below', 'engine'))
  })
})

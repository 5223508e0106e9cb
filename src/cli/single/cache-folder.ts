import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

const currentUser = process.getuid?.() ?? 0
const WRITABLE_BY_ALL = 0o002
const WRITABLE_BY_GROUP = 0o020
const WRITABLE_BY_OTHERS = 0o022
const STICKY = 0o1000

/** Folders to unpack to, in order of preference. A folder named by the user is the only one. */
export function cacheFolders(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  const { LEDGERLAKE_CACHE_DIR: asked, XDG_CACHE_HOME: shared } = environment
  if (asked) return [resolve(asked)]
  const home = homeIfKnown()
  const caches = shared && isAbsolute(shared) ? shared : home && join(home, '.cache')
  return [...(caches ? [join(caches, 'ledgerlake')] : []), join(tmpdir(), `ledgerlake-${currentUser}`)]
}

/** Returns undefined for a user without HOME and without an entry in the system's user list, as in a container. */
function homeIfKnown(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}

/**
 * Creates a folder below `base` that only this user can write to, and returns its path.
 * Errors: those of the system; Error if another user could replace its content.
 */
export function claimFolder(base: string, name: string): string {
  mkdirSync(base, { recursive: true, mode: 0o700 })
  refuseForeign(base)
  const real = realpathSync(base)
  for (let above = real; above !== dirname(above); above = dirname(above)) refuseOpen(dirname(above))
  const folder = join(real, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  refuseForeign(folder)
  refuseOpen(base)
  if (lstatSync(folder).mode & WRITABLE_BY_OTHERS) throw new Error(`others may write to ${folder}`)
  return folder
}

/** Returns true if a file or folder belongs to this user or to root. */
export function isOurs({ uid }: Pick<Stats, 'uid'>): boolean {
  return uid === currentUser || uid === 0
}

function refuseForeign(path: string): void {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) throw new Error(`${path} is a symbolic link`)
  if (!isOurs(stats)) throw new Error(`${path} belongs to another user (uid ${stats.uid})`)
}

/** Throws if another user could rename the folder's content, and so replace it. */
function refuseOpen(path: string): void {
  const stats = lstatSync(path)
  if (!isOurs(stats)) throw new Error(`${path} belongs to another user (uid ${stats.uid})`)
  if ((stats.mode & STICKY) !== 0) return
  if ((stats.mode & WRITABLE_BY_ALL) !== 0) throw new Error(`everybody may rename what is in ${path}`)
  // Members of group root are trusted like root.
  const isOfGroup = (stats.mode & WRITABLE_BY_GROUP) !== 0 && stats.gid !== 0
  if (isOfGroup) throw new Error(`the group ${stats.gid} may rename what is in ${path}; chmod g-w it`)
}

import { createHash, randomBytes } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isOurs } from './cache-folder.ts'

/** A file in the executable. */
export interface Asset {
  readonly name: string
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string
  bytes(): Uint8Array
}

/**
 * Writes all assets to a folder that only this user can write to, keeping files with the right digest. Safe for
 * concurrent processes, because each file is renamed into place. Errors: those of the system.
 */
export function unpack(folder: string, assets: readonly Asset[]): void {
  for (const asset of assets) {
    const path = join(folder, asset.name)
    if (isSound(path, asset.sha256)) continue
    removeLeftovers(folder)
    replaceFile(path, asset)
    if (!isSound(path, asset.sha256)) throw new Error(`${path} was written and reads differently`)
  }
}

/** Returns true if the digest is right, or if the file is unchanged since it was. */
function isSound(path: string, sha256: string): boolean {
  const note = `${path}.verified`
  const file = openIfThere(path)
  if (file === undefined) return false
  try {
    const stats = fstatSync(file, { bigint: true })
    if (!stats.isFile() || !isOurs({ uid: Number(stats.uid) }) || (stats.mode & 0o022n) !== 0n) return false
    const state = stateOf(stats, sha256)
    if (textIfThere(note) === state) return true
    if (digestOf(file) !== sha256) return false
    if (stateOf(fstatSync(file, { bigint: true }), sha256) === state) noteIfPossible(note, state)
    return true
  } finally {
    closeSync(file)
  }
}

/** Reads in pieces, so that 70 MB are not in memory at once. */
function digestOf(file: number): string {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(1 << 20)
  for (let size = readSync(file, piece); size > 0; size = readSync(file, piece))
    hash.update(piece.subarray(0, size))
  return hash.digest('hex')
}

/** Includes the change time (ctime), which no user can set back. */
function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats, sha256: string): string {
  return [sha256, dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

function replaceFile(path: string, asset: Asset, triesLeft = 3): void {
  const part = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.part`
  try {
    const file = openSync(part, 'wx', 0o600)
    try {
      writeFileSync(file, asset.bytes())
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    // A process in another container does not see this one, and may have removed the file as a leftover.
    if (!isMissing(error) || triesLeft === 0) throw error
    replaceFile(path, asset, triesLeft - 1)
  }
}

/** Removes temporary files of killed processes. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /\.(\d+)\.[0-9a-f]+\.part$/.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Without the note, each start computes the digest. */
function noteIfPossible(path: string, state: string): void {
  try {
    writeFileSync(path, state, { mode: 0o600 })
  } catch {
    // The file system may be read-only.
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

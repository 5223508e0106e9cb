import fs, { type BigIntStats } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../src/write/sample/random.ts'

/** The functions as they are before faults are put around them. */
const { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = { ...fs }

type Names = ReadonlyMap<string, string>

interface Tree {
  /** What each folder names. */
  readonly folders: Map<string, Names>
  readonly files: Map<string, Buffer>
}

/** Numbers of files are used again on some file systems, times of birth are not. */
const identityOf = ({ ino, birthtimeNs }: BigIntStats) => `${ino} ${birthtimeNs}`
const factsOf = (path: string) => lstatSync(path, { bigint: true })

/**
 * What a power cut leaves of a folder: of each file the bytes that were synced last, of each folder the names. It is read
 * from the disk whenever something is synced, so what DuckDB writes is seen too.
 */
export class DurableState {
  readonly #folder: string
  readonly #root: string
  readonly #synced: Tree
  readonly #modes = new Map<string, number>()
  /** Those that are folders, though nothing in them was ever synced. */
  readonly #folders = new Set<string>()
  #left: Tree | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#root = identityOf(factsOf(folder))
    this.#synced = this.#read()
  }

  /** After a successful fsync of a file or a folder. */
  sync(path: string): void {
    const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (facts === undefined) return
    if (facts.isDirectory()) this.#synced.folders.set(identityOf(facts), this.#namesIn(path))
    else this.#synced.files.set(identityOf(facts), readFileSync(path))
    this.#modes.set(identityOf(facts), Number(facts.mode & 0o777n))
  }

  /** The power is cut now: only what was synced is left, and what the draws keep besides. */
  cut(random: Random | undefined): void {
    if (this.#left !== undefined) return
    this.#left = random === undefined ? this.#synced : this.#someOf(this.#read(), random)
  }

  /** Puts what is left in the place of the folder. */
  restore(): void {
    const left = this.#left
    if (left === undefined) throw new Error('the power was not cut')
    const aside = `${this.#folder}.left`
    const write = (identity: string, to: string) => {
      const names = left.folders.get(identity) ?? (this.#folders.has(identity) ? new Map() : undefined)
      const mode = this.#modes.get(identity) ?? (names === undefined ? 0o600 : 0o700)
      if (names === undefined) writeFileSync(to, left.files.get(identity) ?? '', { mode })
      else {
        mkdirSync(to, { mode })
        for (const [name, child] of names) write(child, join(to, name))
      }
    }
    write(this.#root, aside)
    rmSync(this.#folder, { recursive: true })
    renameSync(aside, this.#folder)
  }

  #namesIn(path: string): Names {
    const names = readdirSync(path).map((name) => {
      const facts = factsOf(join(path, name))
      if (facts.isDirectory()) this.#folders.add(identityOf(facts))
      return [name, identityOf(facts)] as const
    })
    return new Map(names)
  }

  #read(): Tree {
    const tree: Tree = { folders: new Map(), files: new Map() }
    const walk = (path: string) => {
      const facts = factsOf(path)
      this.#modes.set(identityOf(facts), Number(facts.mode & 0o777n))
      if (!facts.isDirectory()) {
        tree.files.set(identityOf(facts), readFileSync(path))
        return
      }
      const names = this.#namesIn(path)
      tree.folders.set(identityOf(facts), names)
      for (const name of names.keys()) walk(join(path, name))
    }
    walk(this.#folder)
    return tree
  }

  /** A file or folder comes to all its new places and leaves all its old ones, or none: a journal moves it as a whole. */
  #someOf(now: Tree, random: Random): Tree {
    const kept = new Map<string, boolean>()
    const isKept = (identity: string) => {
      const known = kept.get(identity) ?? random.chance(0.5)
      kept.set(identity, known)
      return known
    }
    const left: Tree = { folders: new Map(), files: new Map() }
    for (const identity of new Set([...now.folders.keys(), ...this.#synced.folders.keys()])) {
      const [old, fresh] = [
        this.#synced.folders.get(identity) ?? new Map(),
        now.folders.get(identity) ?? new Map(),
      ]
      const names = new Map<string, string>()
      for (const name of new Set([...old.keys(), ...fresh.keys()])) {
        const [before, after] = [old.get(name), fresh.get(name)]
        const child = before === after || isKept(after ?? before) ? after : before
        if (child !== undefined) names.set(name, child)
      }
      left.folders.set(identity, names)
    }
    for (const identity of new Set([...now.files.keys(), ...this.#synced.files.keys()])) {
      const synced = this.#synced.files.get(identity)
      const bytes = now.files.get(identity) ?? synced ?? Buffer.alloc(0)
      const part = random.chance(0.5) ? bytes : bytes.subarray(0, random.below(bytes.length + 1))
      left.files.set(
        identity,
        synced?.equals(bytes) || random.chance(0.4) ? (synced ?? Buffer.alloc(0)) : part,
      )
    }
    return left
  }
}

/** Flips a bit of a file, or cuts its second half off, as a disk might that says nothing. */
export function harm(path: string, how: 'flipped' | 'short', random: Random): void {
  const bytes = readFileSync(path)
  if (how === 'flipped') flipBit(bytes, random)
  writeFileSync(path, how === 'short' ? bytes.subarray(0, bytes.length >> 1) : bytes)
}

export function flipBit(bytes: Uint8Array, random: Random): void {
  if (bytes.length === 0) return
  const at = random.below(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
}

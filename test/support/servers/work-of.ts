import fs, { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { replaceBuiltin } from '../replace-builtin.ts'
import type { TestServer } from './build-test-server.ts'

/** What was done for one answer. Bytes are those of files, from the disk or from the cache of the system. */
interface AnswerWork {
  readonly text: string
  readonly statements: number
  readonly files: number
  /** Reads of the index by hotspot, which are the only synchronous ones. */
  readonly indexReads: number
  readonly indexBytes: number
  /** By the engine; undefined where the system does not count them. */
  readonly engineBytes: number | undefined
}

const index = { reads: 0, bytes: 0 }

/** Counts the reads of the index by hotspot, for the tests of a file. */
export function countIndexReads(): void {
  replaceBuiltin(fs, (real) => ({
    readSync: ((...args: Parameters<typeof real.readSync>) => {
      const bytes = real.readSync(...args)
      index.reads += 1
      index.bytes += bytes
      return bytes
    }) as typeof real.readSync,
  }))
}

/** How many reads of the index by hotspot were counted. */
export const countedIndexReads = (): number => index.reads

function processBytes(): number | undefined {
  if (process.platform !== 'linux') return undefined
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}

/** Asks for a path below /v1/net, and gives what that took. */
export async function workOf({ engine, get }: TestServer, path: string): Promise<AnswerWork> {
  const before = { ...engine.work(), ...index, process: processBytes() }
  const { status, text } = await get(path)
  const after = { ...engine.work(), ...index, process: processBytes() }
  expect(status, text.slice(0, 300)).toBe(200)
  const indexBytes = after.bytes - before.bytes
  const total = after.process === undefined ? undefined : after.process - (before.process ?? 0)
  return {
    ...{ text, indexBytes, indexReads: after.reads - before.reads },
    ...{ statements: after.statements - before.statements, files: after.files - before.files },
    engineBytes: total === undefined ? undefined : total - indexBytes,
  }
}

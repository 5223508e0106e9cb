import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type ErrorCode, ServiceError } from '../../../src/base/errors.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import { pick } from '../../support/network/draw.ts'
import { changeBytes } from './changes.ts'
import { must, type Target } from './target.ts'

/** A file and its bytes, in base64 where they were changed. */
interface Stored {
  readonly path: string
  readonly bytes: string
}

interface Reading {
  readonly name: string
  readonly files: readonly string[]
  /** What follows from the file, and from those beside it, in one spelling. */
  readonly read: (path: string) => string | Promise<string>
  /** The errors by which a changed file may be refused, by its name; none where it has to be ignored. */
  readonly refusedAs: readonly ErrorCode[]
  readonly change?: (bytes: Buffer, random: Random) => Buffer
  /** Lines of an answer may be `null` where something was left out; the others have to be right. */
  readonly mayLack?: boolean
}

/** Files of the program: with changed bytes they are refused by name, or the answer stays the same. */
export function storedTarget({
  name,
  files,
  read,
  refusedAs,
  change = changeBytes,
  mayLack,
}: Reading): Target<Stored> {
  const right = new Map<string, string>()
  return {
    name,
    draw(random) {
      const path = pick(files, random)
      return { path, bytes: readFileSync(path).toString('base64') }
    },
    mutate: ({ path, bytes }, random) => ({
      path,
      bytes: change(Buffer.from(bytes, 'base64'), random).toString('base64'),
    }),
    show: ({ path, bytes }) =>
      `${basename(path)} ${bytes.length > 3000 ? `${bytes.slice(0, 3000)}...` : bytes}`,
    async run({ path, bytes }, isValid) {
      if (!right.has(path)) right.set(path, await read(path))
      const expected = right.get(path) as string
      const before = readFileSync(path)
      writeFileSync(path, Buffer.from(bytes, 'base64'))
      try {
        const given = await read(path)
        must(
          given === expected || (!isValid && mayLack === true && isPart(given, expected)),
          () => `another answer: ${given.slice(0, 400)}; the right one: ${expected.slice(0, 400)}`,
        )
        return isValid ? 'data' : 'ignored'
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        must(!isValid && refusedAs.includes(error.code), () => `${error.code}: ${error.message}`)
        must(error.message.includes(basename(path)), () => `the file is not named: ${error.message}`)
        return 'refused'
      } finally {
        writeFileSync(path, before)
      }
    },
  }
}

function isPart(given: string, right: string): boolean {
  const lines = right.split('\n')
  return given.split('\n').every((line, place) => line === 'null' || line === lines[place])
}

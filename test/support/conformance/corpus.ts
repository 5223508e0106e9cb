import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Fraction, readExact } from '../exact-json.ts'

/** JSON in which no number is rounded. */
export type ExactJson =
  | bigint
  | string
  | boolean
  | null
  | Fraction
  | readonly ExactJson[]
  | { readonly [member: string]: ExactJson }

/** `spec`: follows from the specification alone. `decision`: from what it leaves open and we decided. */
export const levels = ['spec', 'decision'] as const

export type Level = (typeof levels)[number]

/** One request and the reply that it has to get. docs/guide/conformance.md describes the members. */
export interface Case {
  readonly title: string
  readonly level: Level
  /** What a server must have been given besides the data; `keys` are asked with --key, `plain key` with --plain-key. */
  readonly needs?: 'keys' | 'plain key'
  /** Method and address: a path below {base_url} with its query, or {graphql_url}. */
  readonly request: string
  /** Which key the request carries; that of --key unless told otherwise. */
  readonly authorization?: 'none' | 'wrong' | 'plain key'
  readonly headers?: Readonly<Record<string, string>>
  /** Body of a POST. */
  readonly send?: ExactJson
  readonly status: ExactJson
  readonly replyHeaders?: Readonly<Record<string, ExactJson>>
  readonly body?: ExactJson
}

export interface Chapter {
  /** Name of its file. */
  readonly name: string
  readonly title: string
  readonly cases: readonly Case[]
}

const corpusFolder = fileURLToPath(new URL('../../spec/corpus', import.meta.url))

/** What a server has to hold before it is asked; nothing else that the requests could meet. */
export const corpusInputs = [
  fileURLToPath(new URL('../../fixtures/small', import.meta.url)),
  join(corpusFolder, 'input'),
] as const

/** Every chapter, in the order of the specification. */
export function readCorpus(): readonly Chapter[] {
  const files = readdirSync(corpusFolder).filter((file) => file.endsWith('.json'))
  return files.sort().map((file) => {
    const text = readFileSync(join(corpusFolder, file), 'utf8')
    return { ...readExact<Omit<Chapter, 'name'>>(text), name: file.replace(/^\d+-|\.json$/g, '') }
  })
}

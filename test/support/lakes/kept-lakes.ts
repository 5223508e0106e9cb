import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { Fraction, readExact } from '../exact-json.ts'
import { askGraphql } from '../servers/ask-graphql.ts'
import type { TestServer } from '../servers/build-test-server.ts'

/** Lakes that builds of each data format left behind, with what they answered: see scripts/keep-lake.ts. */
const folder = fileURLToPath(new URL('../../fixtures/lakes', import.meta.url))

interface KeptAnswer {
  /** Below /v1/net. */
  readonly path?: string
  readonly graphql?: string
  readonly body: string
}

export interface KeptLake {
  readonly format: string
  readonly answers: readonly KeptAnswer[]
  /** Ids of its snapshots as that build gave them out, oldest first. */
  readonly snapshots: readonly string[]
  /** Secrets of the keys in its key file. */
  readonly keys: Readonly<Record<'all' | 'limited' | 'revoked', string>>
  /** Copies the lake and the key file into a folder, as `lake` and `keys.ndjson`. */
  copyTo(target: string): void
}

export const keptLakes: readonly KeptLake[] = readdirSync(folder).map((format) => {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, format, name), 'utf8'))
  const lines = gunzipSync(readFileSync(join(folder, format, 'answers.ndjson.gz'))).toString()
  return {
    format,
    answers: lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as KeptAnswer),
    snapshots: read('snapshots.json'),
    keys: read('keys.json'),
    copyTo(target) {
      for (const name of ['lake', 'keys.ndjson'])
        cpSync(join(folder, format, name), join(target, name), { recursive: true })
    },
  }
})

/** What a server says now to what was asked then, by the question, without the members that have come since. */
export async function askAgain(
  server: TestServer,
  answers: readonly KeptAnswer[],
): Promise<Readonly<Record<string, string>>> {
  const said: Record<string, string> = {}
  for (const { path, graphql, body } of answers) {
    const text =
      path === undefined
        ? (await askGraphql(server.server, graphql ?? '')).text
        : (await server.get(path)).text
    said[path ?? graphql ?? ''] = text === body ? body : withoutNewMembers(text, body)
  }
  return said
}

export function keptBodies(answers: readonly KeptAnswer[]): Readonly<Record<string, string>> {
  return Object.fromEntries(answers.map(({ path, graphql, body }) => [path ?? graphql ?? '', body]))
}

/** The kept body when a reply says the same in the same order, but for new members that are null, or 0 where sums stand. */
function withoutNewMembers(text: string, body: string): string {
  const old = readExact<Json>(body)
  return written(prune(readExact<Json>(text), old)) === written(old) ? body : text
}

type Json = string | bigint | boolean | null | Fraction | readonly Json[] | { readonly [name: string]: Json }

function prune(now: Json | undefined, then: Json | undefined): Json {
  if (Array.isArray(now) && Array.isArray(then)) return now.map((item, place) => prune(item, then[place]))
  if (!isObject(now) || !isObject(then)) return now ?? null
  const members = Object.entries(now).filter(([name, value]) => {
    const isNothing = value === null || (name.startsWith('total_') && value === 0n)
    return name in then || !isNothing
  })
  return Object.fromEntries(members.map(([name, value]) => [name, prune(value, then[name])]))
}

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Fraction)
}

/** Numbers and strings stay apart. */
function written(value: Json): string {
  return JSON.stringify(value, (_, own) =>
    typeof own === 'bigint' ? { digits: `${own}` } : typeof own === 'string' ? `"${own}` : own,
  )
}

import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { askGraphql } from './ask-graphql.ts'
import type { TestServer } from './build-test-server.ts'

/** Lakes that builds of each data format left behind, with what they answered: see scripts/keep-lake.ts. */
const folder = fileURLToPath(new URL('../fixtures/lakes', import.meta.url))

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

/** What a server says now to what was asked then, by the question. */
export async function askAgain(
  server: TestServer,
  answers: readonly KeptAnswer[],
): Promise<Readonly<Record<string, string>>> {
  const said: Record<string, string> = {}
  for (const { path, graphql } of answers) {
    if (path !== undefined) said[path] = (await server.get(path)).text
    else if (graphql !== undefined) said[graphql] = (await askGraphql(server.server, graphql)).text
  }
  return said
}

export function keptBodies(answers: readonly KeptAnswer[]): Readonly<Record<string, string>> {
  return Object.fromEntries(answers.map(({ path, graphql, body }) => [path ?? graphql ?? '', body]))
}

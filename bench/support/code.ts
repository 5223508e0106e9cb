import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Digests of the code that a bench measures, so that a page can say when it has changed since. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const engine = ['engine', 'lake', 'base', 'catalog']
const serving = [...engine, 'index', 'answers', 'doors', 'keys']

/** Folders of `src` that a bench measures; all that serve requests, unless it is named here. */
const folders: Readonly<Record<string, readonly string[]>> = {
  ingest: [...engine, 'index', 'write'],
  archive: [...engine, 'index', 'write'],
  series: [...engine, 'index', 'answers'],
  explorer: [...serving, 'explorer'],
  'long-log': ['lake', 'engine'],
}

/** Returns a digest of each folder of `src` that a bench measures. */
export function codeOf(bench: string): Readonly<Record<string, string>> {
  return Object.fromEntries((folders[bench] ?? serving).map((folder) => [folder, digestOf(folder)]))
}

const digests = new Map<string, string>()

function digestOf(folder: string): string {
  const digest = digests.get(folder) ?? digestOfFiles(`${root}src/${folder}/`)
  digests.set(folder, digest)
  return digest
}

function digestOfFiles(folder: string): string {
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /\.tsx?$/.test(name)).sort())
    hash.update(`${file.replaceAll('\\', '/')}\n`).update(readFileSync(folder + file))
  return hash.digest('hex').slice(0, 12)
}

/** Returns the folders of `src` that have changed since a result; all of its bench, if it does not say. */
export function changedSince(
  bench: string,
  measured: Readonly<Record<string, string>> = {},
  now = codeOf(bench),
): readonly string[] {
  return Object.keys(now).filter((folder) => measured[folder] !== now[folder])
}

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../../src', import.meta.url))
const IMPORT = /(?:from\s|^import\s|import\()\s*'([^'\n]+)'/gm

/** Imports between the folders and files directly below src, and between all files. */
export interface FolderGraph {
  /** Folders that each folder imports, sorted. A file directly below src counts as a folder. */
  readonly arrows: ReadonlyMap<string, readonly string[]>
  /** The files that import each outside package, `@scope/name` or `name`. */
  readonly packages: ReadonlyMap<string, readonly string[]>
  /** Files that each file imports, types included, by their path below src. */
  readonly files: ReadonlyMap<string, readonly string[]>
}

/** Draws the graph from the imports in the source. */
export function drawFolderGraph(): FolderGraph {
  const arrows = new Map<string, Set<string>>()
  const packages = new Map<string, Set<string>>()
  const files = new Map<string, Set<string>>()
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  for (const file of names) {
    const folder = folderOf(file)
    arrows.set(folder, arrows.get(folder) ?? new Set())
    files.set(file, new Set())
    for (const [, target = ''] of readFileSync(join(src, file), 'utf8').matchAll(IMPORT)) {
      if (target.startsWith('.')) {
        const path = relative(src, resolve(src, dirname(file), target))
        files.get(file)?.add(path)
        const imported = folderOf(path)
        if (imported !== folder) arrows.get(folder)?.add(imported)
      } else if (!target.startsWith('node:')) {
        const name = /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target
        packages.set(name, (packages.get(name) ?? new Set()).add(file))
      }
    }
  }
  return { arrows: sorted(arrows), packages: sorted(packages), files: sorted(files) }
}

/** The same graph with files of one group as one; what a group imports of itself is left out. */
export function grouped(
  files: ReadonlyMap<string, readonly string[]>,
  groupOf: (file: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Set<string>>()
  for (const [file, imported] of files) {
    const group = groupOf(file)
    const arrows = groups.get(group) ?? new Set()
    groups.set(group, arrows)
    for (const target of imported.map(groupOf)) if (target !== group) arrows.add(target)
  }
  return sorted(groups)
}

/** What lies on rings or between them: all that is left once what imports nothing, or is imported by nothing, is taken away. */
export function ringsOf(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  let left = [...graph.keys()]
  for (;;) {
    const imported = new Set(left.flatMap((node) => graph.get(node) ?? []))
    const kept = left.filter(
      (node) => imported.has(node) && (graph.get(node) ?? []).some((target) => left.includes(target)),
    )
    if (kept.length === left.length) return kept
    left = kept
  }
}

function folderOf(file: string): string {
  const [first = '', ...rest] = file.split('/')
  return first === '..' ? 'package.json' : rest.length === 0 ? first.replace(/\.ts$/, '') : first
}

function sorted(graph: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
  return new Map([...graph].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, set]) => [key, [...set].sort()]))
}

/** The one file of a list, or the smallest folder that has all of them. */
export function doorwayOf(files: readonly string[]): string {
  const [first = '', ...others] = files
  let doorway = first
  while (doorway !== '.' && others.some((file) => !`${file}/`.startsWith(`${doorway}/`)))
    doorway = dirname(doorway)
  return doorway
}

/** The graph as text, one folder a line. */
export function printFolderGraph({ arrows }: FolderGraph): string {
  return [...arrows]
    .map(([folder, imported]) => `${folder.padEnd(10)} -> ${imported.join(', ') || '(nothing)'}`)
    .join('\n')
}

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../../src', import.meta.url))
const IMPORT = /(?:from\s|^import\s|import\()\s*'([^'\n]+)'/gm

/** Rooms of the house: folders directly below src, and the files that stand there by themselves. */
export interface FolderGraph {
  /** Rooms that each room imports, sorted. */
  readonly arrows: ReadonlyMap<string, readonly string[]>
  /** Outside packages and Node modules by the folders that import them. */
  readonly packages: ReadonlyMap<string, readonly string[]>
}

/** Draws the graph from the imports in the source. */
export function drawFolderGraph(): FolderGraph {
  const arrows = new Map<string, Set<string>>()
  const packages = new Map<string, Set<string>>()
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  for (const file of files) {
    const room = roomOf(file)
    arrows.set(room, arrows.get(room) ?? new Set())
    for (const [, target = ''] of readFileSync(join(src, file), 'utf8').matchAll(IMPORT)) {
      if (target.startsWith('.')) {
        const imported = roomOf(relative(src, resolve(src, dirname(file), target)))
        if (imported !== room) arrows.get(room)?.add(imported)
      } else if (!target.startsWith('node:')) {
        packages.set(target, (packages.get(target) ?? new Set()).add(dirname(file)))
      }
    }
  }
  return { arrows: sorted(arrows), packages: sorted(packages) }
}

function roomOf(file: string): string {
  const [first = '', ...rest] = file.split('/')
  return first === '..' ? 'package.json' : rest.length === 0 ? first.replace(/\.ts$/, '') : first
}

function sorted(graph: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
  return new Map([...graph].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, set]) => [key, [...set].sort()]))
}

/** The graph as text, a room a line. */
export function printFolderGraph({ arrows }: FolderGraph): string {
  return [...arrows]
    .map(([room, imported]) => `${room.padEnd(10)} -> ${imported.join(', ') || '(nothing)'}`)
    .join('\n')
}

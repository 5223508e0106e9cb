import { dirname, join } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import type { DerivedFile } from '../../index/maintenance/derived.ts'
import { keptFolder, readersFolder, stagingFolder } from '../../lake/disk/layout.ts'
import { markPath } from '../../lake/disk/origin-mark.ts'
import type { ContentReader } from '../../lake/ports/content-reader.ts'
import type { Check } from './check.ts'
import { dataCheck } from './data-checks.ts'
import { type Finding, fault, note, repairs } from './finding.ts'
import type { Inventory } from './inventory.ts'
import { keptCheck } from './kept-check.ts'
import { keyCheck } from './key-checks.ts'
import { isAtWork } from './leftovers.ts'
import { logCheck } from './log-checks.ts'

/** Files of a run are reported as a whole. */
const ofRun: Check = { isNeeded: false, bytes: async () => [] }

type FindCheck = (stock: Inventory, path: string) => Check | undefined

/** Checks of all kinds of files, in the order of their use. */
const fileKinds: readonly FindCheck[] = [
  ({ tables, displayPath }, path) => {
    const table = tables.find(({ folder }) => dirname(path) === `${folder}/_delta_log`)
    return table && logCheck(table, path, displayPath(path))
  },
  ({ tables, displayPath }, path) => {
    const table = tables.find(({ folder }) => path.startsWith(`${folder}/`))
    return table && dataCheck(table, path, displayPath(path))
  },
  ({ derived, displayPath }, path) => {
    const file = derived.get(path)
    return file && derivedCheck(file, displayPath(path))
  },
  ({ unfinished, target }, path) =>
    unfinished.some((name) => path.startsWith(join(target.lake, name, '/'))) ? ofRun : undefined,
  ({ target, displayPath }, path) =>
    [stagingFolder(target.lake), readersFolder(target.lake), keptFolder(target.lake), target.state].includes(
      path,
    )
      ? noFolder(displayPath(path))
      : undefined,
  ({ displayPath }, path) =>
    resourceNamed(displayPath(path)) === undefined ? undefined : noTable(displayPath(path)),
  ({ target, displayPath }, path) => keyCheck(target, path, displayPath(path)),
  ({ target: { lake }, displayPath }, path) =>
    dirname(path) === keptFolder(lake) ? keptCheck(lake, path, displayPath(path)) : undefined,
  // The inventory reads the origin mark; the sync state only saves requests.
  ({ target: { lake, state } }, path) =>
    path === markPath(lake) || path.startsWith(join(state, 'sync', '/')) ? ofRun : undefined,
  (_, path) => (isAtWork(path) ? ofRun : undefined),
]

/** Returns the check of a file; a file of no known kind is reported as a leftover. */
export function findCheck(stock: Inventory, path: string): Check {
  for (const find of fileKinds) {
    const check = find(stock, path)
    if (check !== undefined) return check
  }
  const isOfNone = stock.tables.every(({ at, resource }) => at !== undefined || resource === undefined)
  const what = isOfNone
    ? 'Nothing of this program reads it.'
    : 'Nothing of this program reads it, or only with a table whose log is damaged.'
  const finding = note('leftover', stock.displayPath(path), what, 'remove it if it is not needed')
  return { isNeeded: false, bytes: async () => [finding] }
}

function noFolder(file: string): Check {
  const what = 'A file is in the place of a folder of this program, so nothing can be written there.'
  const finding = fault('folder', file, what, 'move it away; the folder is made anew')
  return { isNeeded: true, bytes: async () => [finding] }
}

function noTable(file: string): Check {
  const repair = 'put the folder of the table, from a backup or another copy, in its place'
  const finding = fault('table', file, 'A file is in the place of the folder of a table.', repair)
  return { isNeeded: true, bytes: async () => [finding] }
}

function derivedCheck(derived: DerivedFile, file: string): Check {
  const wrong = (what: string | undefined): readonly Finding[] =>
    what === undefined ? [] : [fault('derived', file, what, repairs.anew)]
  return {
    isNeeded: false,
    async bytes() {
      const problem = await derived.fault()
      return wrong(problem && `It ${problem}.`)
    },
    async content(reader: ContentReader) {
      try {
        const problem = await derived.difference(reader)
        return wrong(problem && `It does not say what the lake says: ${problem}.`)
      } catch (error) {
        return wrong(`It cannot be compared with the lake: ${sentenceOf(error).split('\n')[0]}`)
      }
    },
  }
}

import { dirname } from 'node:path'
import { sentenceOf } from '../errors.ts'
import type { DerivedFile } from '../maintenance/derived.ts'
import type { Check, RowReader } from './check.ts'
import { dataCheck } from './data-checks.ts'
import { type Finding, fault, note } from './finding.ts'
import { keyCheck } from './key-checks.ts'
import { isAtWork } from './leftovers.ts'
import { logCheck } from './log-checks.ts'
import { repairs } from './repairs.ts'
import { isInside, type Stock } from './stock.ts'

type FindCheck = (stock: Stock, path: string) => Check | undefined

/** Every kind of file, in the order in which they are tried: a new one is one more line. */
const fileKinds: readonly FindCheck[] = [
  ({ tables, tell }, path) => {
    const table = tables.find(({ folder }) => dirname(path) === `${folder}/_delta_log`)
    return table && logCheck(table, path, tell)
  },
  ({ tables, tell }, path) => {
    const table = tables.find(({ folder }) => isInside(folder, path))
    return table && dataCheck(table, path, tell)
  },
  ({ derived, tell }, path) => {
    const file = derived.get(path)
    return file && derivedCheck(file, tell(path))
  },
  ({ target, tell }, path) => keyCheck(target, path, tell),
  (_, path) => (isAtWork(path) ? { isNeeded: false, bytes: async () => [] } : undefined),
]

/** How the file of a path is checked; of one of no known kind it is told that it is there. */
export function checkOf(stock: Stock, path: string): Check {
  for (const find of fileKinds) {
    const check = find(stock, path)
    if (check !== undefined) return check
  }
  const isOfNone = stock.tables.every(({ at, resource }) => at !== undefined || resource === undefined)
  const what = isOfNone
    ? 'Nothing of this program reads it.'
    : 'Nothing of this program reads it, or only with a table whose log is damaged.'
  const told = note({
    kind: 'leftover',
    file: stock.tell(path),
    what,
    repair: 'remove it, if nobody needs it',
  })
  return { isNeeded: false, bytes: async () => [told] }
}

function derivedCheck(derived: DerivedFile, file: string): Check {
  const wrong = (what: string | undefined): readonly Finding[] =>
    what === undefined ? [] : [fault({ kind: 'derived', file, what, repair: repairs.anew })]
  return {
    isNeeded: false,
    async bytes() {
      const found = await derived.fault()
      return wrong(found && `It ${found}.`)
    },
    async content(reader: RowReader) {
      try {
        const found = await derived.difference(reader)
        return wrong(found && `It does not say what the lake says: ${found}.`)
      } catch (error) {
        return wrong(`It cannot be compared with the lake: ${sentenceOf(error).split('\n')[0]}`)
      }
    },
  }
}

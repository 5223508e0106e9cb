import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { keptInFolder, recordIn } from '../../lake/vacuum/kept-records.ts'
import { readKept } from '../../lake/vacuum/kept-snapshots.ts'
import type { Check } from './check.ts'
import { fault } from './finding.ts'

/** Reads the record of a kept snapshot as a vacuum does, which refuses to run with a damaged one. */
export function keptCheck(lake: string, path: string, file: string): Check {
  const name = recordIn(basename(path))
  return {
    isNeeded: false,
    async bytes() {
      // Any other file is of a command that died while it wrote a record.
      if (name === undefined) return []
      const read = async () => new Map([[name, await readFile(path, 'utf8')]])
      const problem = await readKept(lake, { ...keptInFolder(lake), read }).then(() => undefined, sentenceOf)
      const repair = 'make its statement again with --as-of and --keep, or remove the file if nobody needs it'
      return problem === undefined ? [] : [fault('kept snapshot', file, problem, repair)]
    },
  }
}

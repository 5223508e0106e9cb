import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readersFolder, stagingFolder } from '../../lake/disk/layout.ts'
import { listAbandoned } from '../../lake/runs/run-folder.ts'
import { type Finding, note, repairs } from './finding.ts'

/** Finds leftovers of dead runs, restores and builders, as notes. */
export async function findLeftovers(
  { lake, state }: { readonly lake: string; readonly state: string },
  displayPath: (path: string) => string,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const add = (path: string, what: string, repair: string) =>
    findings.push(note('leftover', displayPath(path), what, repair))
  for (const name of await listAbandoned(stagingFolder(lake)))
    add(join(stagingFolder(lake), name), 'A run that is over left it.', 'ledgerlake vacuum')
  for (const name of await listAbandoned(readersFolder(lake)))
    add(join(readersFolder(lake), name), 'A server that is over left it.', 'ledgerlake vacuum')
  for (const name of (await readdir(lake).catch(() => [])).filter((name) =>
    /^_restoring$|^_replaced-\d+$/.test(name),
  ))
    add(join(lake, name), 'A restore left it.', 'remove it when it is not needed')
  const builders = (await readdir(state).catch(() => [])).map((name) => join(state, name, 'building'))
  for (const folder of [join(state, 'spill'), ...builders])
    for (const name of await listAbandoned(folder))
      add(join(folder, name), 'A process that is over left it.', repairs.none)
  return findings
}

/** Returns true for files of running processes, and for leftovers that are reported as a whole. */
export function isAtWork(path: string): boolean {
  return /\/(_staging|_readers|_parts|_restoring|_replaced-\d+|spill|building|[^/]+\.lock)\//.test(path)
}

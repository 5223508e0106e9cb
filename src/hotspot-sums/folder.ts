import { basename, join } from 'node:path'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { newestFirst } from '../maintenance/versions.ts'
import { type MonthFile, openMonthFile } from './month-file.ts'
import type { WantedMonth } from './wanted.ts'

export function sumsFolder(stateFolder: string): string {
  return join(stateFolder, 'hotspot-sums')
}

export function tableSumsFolder(stateFolder: string, { resource }: TableSnapshot): string {
  return join(sumsFolder(stateFolder), resource.name)
}

/** Paths of the files of a table, newest first. */
export async function sumPaths(folder: string): Promise<readonly string[]> {
  return await newestFirst(folder, (name) => name.endsWith('.sums'))
}

export function ofMonth(paths: readonly string[], { month }: WantedMonth): readonly string[] {
  return paths.filter((path) => basename(path).startsWith(`${month}-`))
}

/** Undefined when it cannot be read or is damaged; columns are checked later, when they are read. */
export function openIfIntact(path: string): MonthFile | undefined {
  try {
    return openMonthFile(path)
  } catch {
    return undefined
  }
}

/** Whether a file holds all that is wanted and nothing else: its name follows from what it was made of. */
export function isComplete({ path }: MonthFile, { name }: WantedMonth): boolean {
  return basename(path) === name
}

/** The complete file of a month, or the one that has most of it. */
export function bestFor(wanted: WantedMonth, files: readonly MonthFile[]): MonthFile | undefined {
  const complete = files.find((file) => isComplete(file, wanted))
  if (complete !== undefined) return complete
  const fitting = (file: MonthFile) => wanted.columns.filter((own) => file.columnOf(own) !== undefined).length
  return [...files].sort((a, b) => fitting(b) - fitting(a))[0]
}

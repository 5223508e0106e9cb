import { type KeyUsage, readUsage } from '../usage-file.ts'
import { NOBODY, readLine } from './event.ts'
import { logFolderOf, newestText } from './log-files.ts'
import { Tally } from './tally.ts'

/**
 * Returns a function that looks up the usage of a key in the log, or in the file of an older build if the log has none.
 * Creates no file. Unreadable files are reported and count as empty.
 */
export function readUsed(
  keyFile: string,
  onError: (error: unknown) => void,
): (id: string) => KeyUsage | undefined {
  const tally = new Tally(NOBODY)
  let older: ReadonlyMap<string, KeyUsage> = new Map()
  try {
    older = readUsage(keyFile, onError)
    for (const line of newestText(logFolderOf(keyFile)).split('\n')) {
      const event = readLine(line)
      if (event?.kind === 'end') break
      if (event !== undefined) tally.apply(event)
    }
  } catch (error) {
    onError(error)
  }
  return (id) => tally.usageOf(id) ?? older.get(id)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../lake/disk/disk.ts'
import { usageFileOf } from '../usage-file.ts'
import { readLine } from './event.ts'

const LINE_BYTES = 64
const ATTEMPTS = 3

/** Returns the folder of the log, next to the key file. */
export function logFolderOf(keyFile: string): string {
  return `${usageFileOf(keyFile)}.log`
}

/** Numbers of the files of a log, ascending. Errors: those of the file system. */
export function numbersIn(folder: string): readonly number[] {
  const names = readdirSync(folder).filter((name) => /^\d+$/.test(name))
  return names.map(Number).sort((a, b) => a - b)
}

export function pathIn(folder: string, number: number): string {
  return join(folder, String(number).padStart(8, '0'))
}

/** Complete lines of the newest file of a log; empty if there is none. Errors: those of the file system. */
export function newestText(folder: string): string {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const text = readFileSync(pathIn(folder, numbersIn(folder).at(-1) ?? 1), 'latin1')
      return text.slice(0, text.lastIndexOf('\n') + 1)
    } catch (error) {
      // Another process may have created the next file.
      if (!isMissing(error)) throw error
      if (attempt === ATTEMPTS) return ''
    }
  }
}

/** Numbers of damaged lines in a log file, from 1. An incomplete last line is being written and not damaged. */
export function damagedEvents(text: string): readonly number[] {
  const lines = text.split('\n')
  const isUnfinished = (lines.at(-1)?.length ?? 0) < LINE_BYTES - 1
  return lines
    .slice(0, isUnfinished ? -1 : undefined)
    .flatMap((line, place) => (readLine(line) === undefined ? [place + 1] : []))
}

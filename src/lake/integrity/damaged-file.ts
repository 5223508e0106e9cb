import { relative } from 'node:path'
import { ServiceError, systemWordsOf } from '../../base/errors.ts'
import { errorCodeOf } from '../disk/disk.ts'
import type { DigestedFile, Verdict } from './verdict.ts'

/** `makers/part-1.parquet of the lake is damaged: its SHA-256 is another one`, and what to do; nothing of the machine. */
export function toldDamage({ file, fault }: Verdict, lake: string): string {
  const what = `${nameIn(lake, file.path)} of the lake is damaged: ${fault}`
  return file.isDerived
    ? `${what}. It is not used, and built anew.`
    : `${what}. Answers that need it are refused until it is repaired: ledgerlake verify --lake DIR --repair`
}

export function toldRepair({ file }: Verdict, lake: string): string {
  return `${nameIn(lake, file.path)} of the lake is sound again.`
}

const nameIn = (lake: string, path: string) => relative(lake, path)

/** The error of a request that needs a damaged file. */
export function damagedFile(verdict: Verdict, lake: string): ServiceError {
  return new ServiceError('lake_damaged', toldDamage(verdict, lake), { isShown: true })
}

/** The error of a request that needs a file which cannot be read now, whatever its bytes are. */
export function unreadFile({ path }: DigestedFile, error: unknown, lake: string): ServiceError {
  const words = systemWordsOf(error) ?? errorCodeOf(error) ?? 'the system gives no reason'
  const sentence = `${nameIn(lake, path)} of the lake cannot be read now: ${words}. Ask again in a moment.`
  return new ServiceError('not_ready', sentence, { cause: error })
}

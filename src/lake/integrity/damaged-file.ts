import { relative } from 'node:path'
import { ServiceError, systemWordsOf } from '../../base/errors.ts'
import { errorCodeOf } from '../disk/disk.ts'
import type { DigestedFile, Verdict } from './verdict.ts'

/** Describes a damaged file and its repair, without paths outside of the lake. */
export function describeDamage({ file, fault }: Verdict, lake: string): string {
  const damage = `${relative(lake, file.path)} of the lake is damaged: ${fault}`
  return file.isDerived
    ? `${damage}. It is not used, and built anew.`
    : `${damage}. Answers that need it are refused until it is repaired: ledgerlake verify --lake DIR --repair`
}

export function describeRepair({ file }: Verdict, lake: string): string {
  return `${relative(lake, file.path)} of the lake is sound again.`
}

/** Makes the error of a request that needs a damaged file. */
export function damagedFile(verdict: Verdict, lake: string): ServiceError {
  return new ServiceError('lake_damaged', describeDamage(verdict, lake), { isShown: true })
}

/** Makes the error of a request that needs a file which cannot be read now. */
export function unreadFile({ path }: DigestedFile, error: unknown, lake: string): ServiceError {
  const words = systemWordsOf(error) ?? errorCodeOf(error) ?? 'the system gives no reason'
  const sentence = `${relative(lake, path)} of the lake cannot be read now: ${words}. Ask again in a moment.`
  return new ServiceError('not_ready', sentence, { cause: error })
}

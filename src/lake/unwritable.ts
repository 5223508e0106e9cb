import { fail, ServiceError, sentenceOf } from '../errors.ts'
import { errorCodeOf } from './disk.ts'

const codes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO']
const engineSentence = /No space left|Permission denied|Read-only file system|not enough space/i

/** Says in terms of the lake what the file system refused; anything else is thrown as it is. */
export function refuseUnwritable(error: unknown, lake: string): never {
  const sentence = sentenceOf(error)
  const isRefused = codes.includes(errorCodeOf(error) ?? '') || engineSentence.test(sentence)
  if (error instanceof ServiceError || !isRefused) throw error
  return fail(
    'lake_unwritable',
    `The lake ${lake} cannot be written: ${sentence}. What was committed stays; make room or give access, and run it again.`,
    { cause: error },
  )
}

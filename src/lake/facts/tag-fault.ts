import { describeValue, isCount } from '../log/log-actions.ts'

/** Fault in a tag of a file. The message is a part of a sentence. */
export class TagFault extends Error {}

/** Errors: TagFault. */
export function refuseTag(member: string, value: unknown): never {
  throw new TagFault(`${member} is ${describeValue(value)}`)
}

/** Checks a number of rows or messages. Errors: TagFault. */
export function checkCount(member: string, value: unknown): number {
  return isCount(value) ? value : refuseTag(member, value)
}

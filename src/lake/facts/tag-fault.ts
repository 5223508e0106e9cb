import { describeValue, isCount } from '../log/log-actions.ts'

/** What is wrong with a tag of a file: a part of a sentence. */
export class TagFault extends Error {}

/** Errors: TagFault. */
export function refuseTag(member: string, value: unknown): never {
  throw new TagFault(`${member} is ${describeValue(value)}`)
}

/** A number of rows or messages. Errors: TagFault. */
export function readCount(member: string, value: unknown): number {
  return isCount(value) ? value : refuseTag(member, value)
}

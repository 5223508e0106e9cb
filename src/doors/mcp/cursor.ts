import { createHash } from 'node:crypto'
import { parameter, quoted } from '../../base/parameter-text.ts'

/** Where a reply goes on. */
export interface Place {
  /** How many rows stand before it. */
  readonly first: number
  /** Id of the snapshot that the rows before it were read from. */
  readonly snapshot: string
  /** Digest of what was asked. */
  readonly asked: string
}

const FORM = /^(\d{1,15}) (\S{1,200}) ([\da-f]{16})$/

export function writeCursor({ first, snapshot, asked }: Place): string {
  return Buffer.from(`${first} ${snapshot} ${asked}`).toString('base64url')
}

/** The place that a cursor names. */
export const cursorGiven = parameter((text, wrong): Place | undefined => {
  if (text === undefined) return undefined
  const [, first, snapshot, asked] = FORM.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (first === undefined || snapshot === undefined || asked === undefined)
    return wrong(`is ${quoted(text)}; use next.cursor of a reply`)
  return { first: Number(first), snapshot, asked }
})

/** Tells requests apart: a cursor goes on with the one that it came from. */
export function digestOfRequest(parts: readonly (string | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

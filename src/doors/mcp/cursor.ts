import { createHash } from 'node:crypto'
import { parameter, quoted } from '../../base/parameter-text.ts'

/** Start of the next reply. */
export interface ToolCursor {
  /** Number of rows before it. */
  readonly first: number
  /** Id of the snapshot of the first reply. */
  readonly snapshot: string
  /** Digest of the tool and its arguments. */
  readonly digest: string
}

const FORM = /^(\d{1,15}) (\S{1,200}) ([\da-f]{16})$/

export function writeToolCursor({ first, snapshot, digest: asked }: ToolCursor): string {
  return Buffer.from(`${first} ${snapshot} ${asked}`).toString('base64url')
}

export const cursorParameter = parameter((text, wrong): ToolCursor | undefined => {
  if (text === undefined) return undefined
  const [, first, snapshot, asked] = FORM.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (first === undefined || snapshot === undefined || asked === undefined)
    return wrong(`is ${quoted(text)}; use next.cursor of a reply`)
  return { first: Number(first), snapshot, digest: asked }
})

/** Identifies a request, so that a cursor of another request is refused. */
export function digestOfRequest(parts: readonly (string | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

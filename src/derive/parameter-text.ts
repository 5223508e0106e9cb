import { z } from 'zod'
import { fail, type ParamFault } from '../errors.ts'

/** Query parameters by name; a repeated one is an array. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** As much of a text as a sentence shows. */
export const clipped = (value: string) => (value.length > 80 ? `${value.slice(0, 80)}…` : value)
export const quoted = (value: string) => JSON.stringify(clipped(value))

/** One text without control characters that no stored value has; blank means absent. */
export const one = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value, context) => {
    if (Array.isArray(value)) {
      context.addIssue(`is given ${value.length} times; one value is accepted`)
      return z.NEVER
    }
    if (value?.includes('\0')) {
      context.addIssue('contains a NUL character; text without it is accepted')
      return z.NEVER
    }
    return value?.trim() === '' ? undefined : value
  })

/** Errors: `malformed_request` that names every fault at once, if there is one. */
export function refuse(faults: readonly ParamFault[]): void {
  if (faults.length === 0) return
  const sentences = new Set(faults.map((fault) => fault.message))
  fail('malformed_request', `${[...sentences].join('. ')}.`, { faults })
}

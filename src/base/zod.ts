import { z } from 'zod'

export { z }

/** A whole number from 0 to 2^53 - 1. */
export const count = z.int().nonnegative()

/** Parses JSON of a form; undefined for any other text. */
export function parseJsonAs<T>(form: z.ZodType<T>, text: string): T | undefined {
  try {
    return form.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The first invalid member of an object, and the words of its form; undefined if all are valid. */
export function firstFault(error: z.ZodError | undefined): { name: string; expected: string } | undefined {
  const [issue] = error?.issues ?? []
  return issue && { name: String(issue.path[0] ?? ''), expected: issue.message }
}

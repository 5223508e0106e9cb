import type { Question } from './question.ts'

/** The queries that were run last, newest first; they stay in this browser. */
const NAME = 'ledgerlake-queries'

const MOST = 20

/** A query, and when it was run last. */
export interface Remembered extends Question {
  /** ISO 8601. */
  readonly at: string
}

export function rememberedQuestions(): readonly Remembered[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRemembered) : []
  } catch {
    return []
  }
}

/** Puts a query in front. What is kept is for convenience, so a browser that is full or keeps nothing is no error. */
export function rememberQuestion({ query, variables }: Question, at: Date): void {
  const remaining = rememberedQuestions().filter((one) => one.query !== query || one.variables !== variables)
  const kept = [{ query, variables, at: at.toISOString() }, ...remaining].slice(0, MOST)
  try {
    localStorage.setItem(NAME, JSON.stringify(kept))
  } catch {}
}

export function forgetQuestions(): void {
  localStorage.removeItem(NAME)
}

function isRemembered(one: unknown): one is Remembered {
  if (typeof one !== 'object' || one === null) return false
  const { query, variables, at } = one as Readonly<Record<string, unknown>>
  return [query, variables, at].every((text) => typeof text === 'string')
}

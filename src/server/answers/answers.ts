import { openMemory } from './memory.ts'
import { shareWork } from './shared-work.ts'

/** The text of an answer, and what it took to find it, as Server-Timing has it. */
export interface Answer {
  readonly body: string
  readonly timing: string
}

/** Answers by their tags. */
export interface Answers {
  /** One that is remembered. */
  known(tag: string): Answer | undefined
  /** The answer of a tag: callers who ask for the same wait for one answer, which is given up when all of them are gone. */
  of(tag: string, signal: () => AbortSignal, find: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>
}

/** A tag says all that an answer follows from, so an answer is never wrong; the oldest go when the memory is full. */
export function openAnswers(mostBytes: number): Answers {
  const remembered = openMemory<Answer>(mostBytes, ({ body }) => body.length + ENTRY_BYTES)
  const underWay = shareWork<Answer>()

  return {
    known(tag) {
      const known = remembered.get(tag)
      return known && { ...known, timing: 'memory' }
    },

    of: (tag, signalOf, find) =>
      underWay.of(tag, signalOf(), async (signal) => {
        const found = await find(signal)
        remembered.set(tag, found)
        return found
      }),
  }
}

/** What an entry takes beside its body. */
const ENTRY_BYTES = 256

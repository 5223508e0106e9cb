import { openMemory } from './memory.ts'

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

interface UnderWay {
  readonly answer: Promise<Answer>
  readonly stop: AbortController
  waiting: number
}

/** A tag says all that an answer follows from, so an answer is never wrong; the oldest go when the memory is full. */
export function openAnswers(mostBytes: number): Answers {
  const remembered = openMemory<Answer>(mostBytes, ({ body }) => body.length + ENTRY_BYTES)
  const underWay = new Map<string, UnderWay>()

  function begin(tag: string, find: (signal: AbortSignal) => Promise<Answer>): UnderWay {
    const stop = new AbortController()
    const answer = find(stop.signal)
    const begun = { answer, stop, waiting: 0 }
    underWay.set(tag, begun)
    const end = () => {
      if (underWay.get(tag) === begun) underWay.delete(tag)
    }
    answer
      .then(
        (found) => remembered.set(tag, found),
        () => {},
      )
      .finally(end)
    return begun
  }

  return {
    known(tag) {
      const known = remembered.get(tag)
      return known && { ...known, timing: 'memory' }
    },

    async of(tag, signalOf, find) {
      const shared = underWay.get(tag) ?? begin(tag, find)
      shared.waiting += 1
      return await unlessGone(shared.answer, signalOf(), (reason) => {
        shared.waiting -= 1
        if (shared.waiting > 0) return
        underWay.delete(tag)
        shared.stop.abort(reason)
      })
    },
  }
}

/** What an entry takes beside its body. */
const ENTRY_BYTES = 256

/** Waits until there is an answer, or the caller is gone. */
function unlessGone(
  answer: Promise<Answer>,
  signal: AbortSignal,
  leave: (reason: unknown) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const give = () => {
      leave(signal.reason)
      reject(signal.reason)
    }
    if (signal.aborted) return give()
    signal.addEventListener('abort', give, { once: true })
    const settled = () => signal.removeEventListener('abort', give)
    answer.then(
      (found) => {
        settled()
        resolve(found)
      },
      (error) => {
        settled()
        reject(error)
      },
    )
  })
}

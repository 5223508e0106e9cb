import type { Context } from '../ask/context.ts'
import { search } from '../ask/search.ts'
import { shortKey } from '../parts/facts.ts'
import { type Child, h } from '../parts/h.ts'
import { fillLater } from '../parts/panel.ts'
import { pagePath } from '../values/addresses.ts'

/** The answers of the server to the entries of a list. */
interface Answers {
  readonly entries: readonly string[]
  /** Keys of each name that several hotspots have. */
  readonly ambiguous: ReadonlyMap<string, readonly string[]>
  readonly unknown: readonly string[]
  /** Keys of names. */
  readonly names: Readonly<Record<string, string>>
}

/** Unknown entries with suggestions; each takes a search. */
const MOST_SUGGESTED = 10
const SUGGESTIONS = 3

/** An answer to each entry of the list: ambiguous and unknown entries first, each with what to put instead. */
export function listAnswers(
  { api, base }: Context,
  { entries, ambiguous, unknown, names }: Answers,
  replace: (entry: string, by: string) => void,
): HTMLElement {
  const instead = (entry: string, by: string, text: Child = by) =>
    h('button.small', { type: 'button', click: () => replace(entry, by) }, text)

  function ambiguousLine(entry: string, keys: readonly string[]): HTMLElement {
    const buttons = keys.map((key) => [' ', instead(entry, key, shortKey(key))])
    return h('li', `“${entry}” is the name of ${keys.length} hotspots. Choose the key of one:`, buttons)
  }

  function unknownLine(entry: string, index: number): HTMLElement {
    const suggested = h('span')
    if (index < MOST_SUGGESTED)
      void fillLater(suggested, async () => {
        const hits = (await search(api, entry)).hits.filter(({ kind }) => kind === 'hotspot')
        const buttons = hits.slice(0, SUGGESTIONS).map(({ text }) => [' ', instead(entry, text)])
        return hits.length === 0 ? undefined : [' Did you mean', buttons, '?']
      })
    return h('li', `“${entry}” is not found.`, suggested)
  }

  const wrong = new Set([...ambiguous.keys(), ...unknown])
  const right = entries.filter((entry) => !wrong.has(entry))
  const rightLine = (entry: string) => {
    const key = names[entry] ?? entry
    return h('li', h('a', { href: base + pagePath('hotspot', key) }, entry === key ? shortKey(key) : entry))
  }
  return h(
    'div.answers',
    h(
      'ul',
      [...ambiguous].map(([entry, keys]) => ambiguousLine(entry, keys)),
      entries.filter((entry) => unknown.includes(entry)).map(unknownLine),
    ),
    right.length === 0
      ? undefined
      : h(
          'details',
          h('summary', `${right.length} of ${entries.length} found`),
          h('ul', right.map(rightLine)),
        ),
  )
}

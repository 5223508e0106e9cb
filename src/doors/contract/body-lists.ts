import { listWords } from '../../base/list-words.ts'
import { refuse } from '../../base/parameter-text.ts'

/** Lists of texts by name. */
export type Lists<Name extends string> = { readonly [N in Name]?: readonly string[] | undefined }

/** Errors: `malformed_request`, always. `problem` follows the name in a sentence. */
export function refuseList(name: string, problem: string): never {
  refuse([{ param: name, message: `${name} ${problem}` }])
  throw new Error('a fault was not refused')
}

/**
 * Returns the lists of texts in the JSON body of a POST, trimmed like those of a query string.
 * Errors: `malformed_request` for any other member, and for a body without one.
 */
export function listsOfBody<Name extends string>(body: unknown, names: readonly Name[]): Lists<Name> {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const members = isObject ? Object.entries(body) : []
  const isName = (text: string) => names.some((name) => name === text)
  if (members.length === 0 || !members.every(([name]) => isName(name))) {
    const form = names.map((name) => `"${name}": ["…"]`).join(', ')
    const [subject, rule] = [
      listWords(names, 'and'),
      names.length === 1 ? 'is the one member that the body has' : 'are the members that the body may have',
    ]
    refuseList(subject, `${rule}; use {${form}}`)
  }
  return Object.fromEntries(members.map(([name, list]) => [name, textsOf(name, list)])) as Lists<Name>
}

function textsOf(name: string, list: unknown): readonly string[] {
  if (!Array.isArray(list) || !list.every((text) => typeof text === 'string'))
    return refuseList(name, 'must be an array of strings')
  return list.map((text) => text.trim())
}

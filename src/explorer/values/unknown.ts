/** `meta.unknown` of a series: by parameter the values without any row, or null if the server could not check. */
export type UnknownMember = Readonly<Record<string, readonly string[] | null>> | null

/** Returns the values that every response with a list calls unknown; null if no response has a list. */
export function unknownIn(members: readonly UnknownMember[], param: string): readonly string[] | null {
  const lists = members.map((member) => member?.[param])
  const answers = lists.map((list) => (list === undefined ? [] : list)).filter((list) => list !== null)
  const [first, ...more] = answers
  if (first === undefined) return null
  return first.filter((value) => more.every((list) => list.includes(value)))
}

/** Returns true if every value of a parameter (separated by commas) is unknown. */
export function isAllUnknown(unknown: readonly string[] | null, values: string): boolean {
  return unknown !== null && unknown.length > 0 && unknown.length === values.split(',').length
}

export const UNKNOWN_HOTSPOT = 'Unknown hotspot: no reward and no record has this key. Check its spelling.'

export const UNKNOWN_OWNER = 'Unknown owner: no hotspot and no record has this address. Check its spelling.'

const UNCLEAR = 'The server cannot look up keys now. If nothing was earned, check the spelling.'

/** The message of a page about one key that is unknown or could not be checked. */
export function unknownTexts(unknown: readonly string[] | null, sentence: string): readonly string[] {
  if (unknown === null) return [UNCLEAR]
  return unknown.length === 0 ? [] : [sentence]
}

/** Further entries are counted, not listed. */
const MOST_LISTED = 20

/** The message of a list page about its unknown entries. */
export function listTexts(entries: readonly string[], unknown: readonly string[] | null): readonly string[] {
  if (unknown === null) return [UNCLEAR]
  const missing = entries.filter((entry) => unknown.includes(entry))
  return missing.length === 0 ? [] : [missingText(missing, entries.length - missing.length, entries.length)]
}

function missingText(missing: readonly string[], found: number, all: number): string {
  const hint = found === 0 ? ' Names work too, one a line.' : ''
  return `No hotspot has the key or name ${listText(missing)}. ${found} of ${all} found.${hint}`
}

function listText(texts: readonly string[]): string {
  const quoted = texts.slice(0, MOST_LISTED).map((text) => `“${text}”`)
  const more = texts.length - quoted.length
  if (more > 0) return `${quoted.join(', ')} or ${more} more of the list`
  const last = quoted.pop() ?? ''
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`
}

/** The message for a search without hits, with advice. */
export function noHitText(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return /^\S{40,}$/.test(text)
    ? `No key, address or hash begins with “${short}”. Upper and lower case matter.`
    : `No name has the words “${short}”. Try one word of the name, or paste the key.`
}

/** `meta.unknown` of a series: by parameter the values that no row has, or null where this could not be looked up. */
export type UnknownMember = Readonly<Record<string, readonly string[] | null>> | null

/** Values of a parameter that all replies call unknown; null where none of them could look it up. */
export function unknownIn(members: readonly UnknownMember[], param: string): readonly string[] | null {
  const lists = members.map((member) => member?.[param])
  const answers = lists.map((list) => (list === undefined ? [] : list)).filter((list) => list !== null)
  const [first, ...more] = answers
  if (first === undefined) return null
  return first.filter((value) => more.every((list) => list.includes(value)))
}

/** Whether nothing has any of the values that a parameter had, separated by commas. */
export function isAllUnknown(unknown: readonly string[] | null, values: string): boolean {
  return unknown !== null && unknown.length > 0 && unknown.length === values.split(',').length
}

export const UNKNOWN_HOTSPOT = 'Unknown hotspot: no reward and no record has this key. Check its spelling.'

export const UNKNOWN_OWNER = 'Unknown owner: no hotspot and no record has this address. Check its spelling.'

const UNCLEAR = 'The server cannot look up keys now. Where nothing was earned, check the spelling.'

/** First sentence of a page about one key that no row has. */
export function unknownTexts(unknown: readonly string[] | null, sentence: string): readonly string[] {
  if (unknown === null) return [UNCLEAR]
  return unknown.length === 0 ? [] : [sentence]
}

/** More are counted, not listed. */
const MOST_LISTED = 20

/** First sentence of a list page: the entries that no row has. */
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

/** That a search has no hit, and what to type instead. */
export function noHitText(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return /^\S{40,}$/.test(text)
    ? `No key, address or hash begins with “${short}”. Capital letters count.`
    : `No name begins with “${short}”. Try the first word of the name, or paste the key.`
}

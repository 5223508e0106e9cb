import { Fraction } from '../exact-json.ts'
import type { ExactJson, Level } from './corpus.ts'

/** Where a reply first differs from what is expected, and what stands there; undefined when nothing does. */
export interface Difference {
  readonly path: string
  readonly expected: string
  readonly found: string
}

export interface Comparison {
  readonly level: Level
  /** Texts out of earlier replies, which later requests and replies name. */
  readonly kept: Map<string, string>
}

type Members = Readonly<Record<string, ExactJson>>

/** What stands in the place of a value that the specification leaves open: an object with the member `$`. */
interface Placeholder extends Members {
  readonly $: string
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What each placeholder accepts at level `spec`. `is` is the value it stands for, in one of several spellings. */
const accepts: Readonly<Record<string, (found: ExactJson, is: ExactJson | undefined) => boolean>> = {
  any: () => true,
  ours: () => true,
  'null or absent': (found) => found === null,
  text: (found) => typeof found === 'string' && found !== '',
  uuid: (found) => typeof found === 'string' && UUID.test(found),
  integer: (found) => typeof found === 'bigint',
  number: (found) => typeof found === 'bigint' || found instanceof Fraction,
  object: (found) => isObject(found),
  instant: (found, is) => typeof found === 'string' && isInstant(found, is),
  digits: (found, is) => (typeof found === 'bigint' || typeof found === 'string') && `${found}` === is,
  'client error': (found) => typeof found === 'bigint' && found >= 400n && found < 500n,
}

/** Placeholders of members that need not be there. */
const mayBeAbsent: ReadonlySet<string> = new Set(['ours', 'null or absent'])

/** The first difference, members in the order of the expectation; what is found but not expected comes last. */
export function firstDifference(
  expected: ExactJson,
  found: ExactJson | undefined,
  comparison: Comparison,
  path = '',
): Difference | undefined {
  if (isPlaceholder(expected)) return differenceToPlaceholder(expected, found, comparison, path)
  if (found === undefined) return differ(path, expected, found)
  if (Array.isArray(expected)) return differenceInList(expected, found, comparison, path)
  if (isObject(expected)) return differenceInObject(expected, found, comparison, path)
  const isSame =
    expected instanceof Fraction
      ? found instanceof Fraction && found.digits === expected.digits
      : found === expected
  return isSame ? undefined : differ(path, expected, found)
}

function differenceToPlaceholder(
  placeholder: Placeholder,
  found: ExactJson | undefined,
  comparison: Comparison,
  path: string,
): Difference | undefined {
  const { $: kind, keep, is } = placeholder
  if (typeof keep === 'string' && typeof found === 'string') comparison.kept.set(keep, found)
  if (kind === 'kept') {
    const text = comparison.kept.get(String(placeholder.name))
    return firstDifference(text ?? 'what an earlier case of the chapter keeps', found, comparison, path)
  }
  const decided = comparison.level === 'decision' ? decidedValue(placeholder) : undefined
  if (decided !== undefined) return firstDifference(decided, found, comparison, path)
  if (kind === 'in any order') return differenceInSet(placeholder.items, found, comparison, path)
  if (kind === 'each') return differenceInEach(placeholder, found, comparison, path)
  const isAccepted = accepts[kind]
  if (isAccepted === undefined) throw new Error(`${path} expects ${kind}, which is no placeholder`)
  const isGood = found === undefined ? mayBeAbsent.has(kind) : isAccepted(found, is)
  return isGood ? undefined : differ(path, is === undefined ? `(${kind})` : `(${kind} ${show(is)})`, found)
}

/** What our decisions make of a placeholder; undefined where they leave it as open as the specification does. */
function decidedValue({ $: kind, decided, is }: Placeholder): ExactJson | undefined {
  return kind === 'null or absent' ? null : decided === undefined ? is : decided
}

function differenceInList(
  expected: readonly ExactJson[],
  found: ExactJson,
  comparison: Comparison,
  path: string,
): Difference | undefined {
  if (!Array.isArray(found)) return differ(path, expected, found)
  for (const [index, item] of expected.entries()) {
    const difference = firstDifference(item, found[index], comparison, `${path}[${index}]`)
    if (difference !== undefined) return difference
  }
  const surplus = found[expected.length]
  return surplus === undefined ? undefined : differ(`${path}[${expected.length}]`, undefined, surplus)
}

/** Every item has a partner of its own; at level `decision` the items come in the order written. */
function differenceInSet(
  items: ExactJson | undefined,
  found: ExactJson | undefined,
  comparison: Comparison,
  path: string,
): Difference | undefined {
  if (!Array.isArray(items)) throw new Error(`${path} expects items in any order, but lists none`)
  if (!Array.isArray(found)) return differ(path, items, found)
  if (comparison.level === 'decision') return differenceInList(items, found, comparison, path)
  const left: ExactJson[] = [...found]
  for (const item of items) {
    const partner = left.findIndex(
      (candidate) => firstDifference(item, candidate, comparison, path) === undefined,
    )
    if (partner === -1) return differ(`${path}[?]`, item, left.length === 1 ? left[0] : left)
    left.splice(partner, 1)
  }
  return left.length === 0 ? undefined : differ(`${path}[?]`, undefined, left[0])
}

function differenceInEach(
  { count, of }: Placeholder,
  found: ExactJson | undefined,
  comparison: Comparison,
  path: string,
): Difference | undefined {
  if (!Array.isArray(found)) return differ(path, `(a list of ${count})`, found)
  if (BigInt(found.length) !== count)
    return differ(path, `(a list of ${count})`, `(a list of ${found.length})`)
  for (const [index, item] of found.entries()) {
    const difference = firstDifference(of ?? { $: 'any' }, item, comparison, `${path}[${index}]`)
    if (difference !== undefined) return difference
  }
  return undefined
}

function differenceInObject(
  expected: Members,
  found: ExactJson,
  comparison: Comparison,
  path: string,
): Difference | undefined {
  if (!isObject(found)) return differ(path, expected, found)
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const { $more: more, ...members } = expected
  for (const [name, value] of Object.entries(members)) {
    const own = Object.hasOwn(found, name) ? found[name] : undefined
    const difference = firstDifference(value, own, comparison, at(name))
    if (difference !== undefined) return difference
  }
  if (more === true && comparison.level === 'spec') return undefined
  const surplus = Object.keys(found).find((name) => !Object.hasOwn(members, name))
  return surplus === undefined ? undefined : differ(at(surplus), undefined, found[surplus])
}

function isObject(value: ExactJson | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Fraction)
}

function isPlaceholder(value: ExactJson): value is Placeholder {
  return isObject(value) && typeof value.$ === 'string'
}

function differ(path: string, expected: ExactJson | undefined, found: ExactJson | undefined): Difference {
  return { path, expected: show(expected), found: show(found) }
}

const LONGEST = 300

/** JSON with every digit; placeholders of the specification stand in brackets. */
function show(value: ExactJson | undefined): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' && /^\(.*\)$/.test(value) ? value : write(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function write(value: ExactJson): string {
  if (value instanceof Fraction) return value.digits
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  if (isPlaceholder(value)) return `(${value.$})`
  return `{${Object.entries(value)
    .map(([name, own]) => `${JSON.stringify(name)}: ${write(own)}`)
    .join(', ')}}`
}

/** An ISO 8601 date-time with an offset or none, which is UTC. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/

/** Whether a text is the instant that another one names, in whichever offset and number of digits. */
function isInstant(text: string, is: ExactJson | undefined): boolean {
  const own = readDateTime(text)
  return own !== undefined && (is === undefined || own === readDateTime(String(is)))
}

/** Milliseconds, then the digits of the second's fraction: a text that is equal for equal instants. */
function readDateTime(text: string): string | undefined {
  const [, date, time, fraction = '', offset = 'Z'] = DATE_TIME.exec(text) ?? []
  if (date === undefined) return undefined
  const milliseconds = Date.parse(`${date}T${time}${offset}`)
  return Number.isNaN(milliseconds) ? undefined : `${milliseconds}.${fraction.replace(/0+$/, '')}`
}

import { firstPlace } from '../../base/values/first-place.ts'
import type { Predicate } from '../../catalog/query/plan.ts'
import type { Bound, ChunkedFile } from '../facts/chunk.ts'
import { compareBounds } from '../facts/chunk-match.ts'

type Whole = readonly [least: Bound, most: Bound]
/** Of the values of a file; undefined where the log does not say. */
type Ends = Whole | undefined

interface KnownEnds {
  readonly ends: readonly Ends[]
  /** Whether the least and the most values of files both ascend, so that those wanted follow each other. */
  readonly areAscending: boolean
}

const known = new WeakMap<readonly ChunkedFile[], KnownEnds>()

/**
 * The files that can have rows that satisfy the predicates on their leading column, which is always the same for the same list. Reads nothing; the
 * ends of files are gathered once.
 */
export function filesWithin<T extends ChunkedFile>(
  files: readonly T[],
  leading: string,
  where: readonly Predicate[],
): readonly T[] {
  const own = where.filter(({ column, match }) => column === leading && match !== 'anyOf')
  if (own.length === 0 || files.length === 1) return files
  const told = known.get(files) ?? endsOfAll(files, leading)
  known.set(files, told)
  const { ends, areAscending } = told
  if (!areAscending) return files.filter((_, at) => own.every((predicate) => mayHave(ends[at], predicate)))
  let [first, end] = [0, files.length]
  for (const { match, value } of own) {
    if (typeof value !== 'bigint' && typeof value !== 'string') continue
    const reaches = (at: number) => compareBounds((ends[at] as Whole)[1], value) >= 0
    const isAbove = (at: number) => compareBounds((ends[at] as Whole)[0], value) > 0
    if (match !== 'atMost') first = Math.max(first, firstPlace(files.length, reaches))
    if (match !== 'atLeast') end = Math.min(end, firstPlace(files.length, isAbove))
  }
  return files.slice(first, end)
}

function endsOfAll(files: readonly ChunkedFile[], leading: string): KnownEnds {
  const ends = files.map((file) => endsOf(file, leading))
  const areAscending = ends.every((own, at) => {
    const before = ends[at - 1]
    if (own === undefined || before === undefined) return own !== undefined && at === 0
    return compareBounds(before[0], own[0]) <= 0 && compareBounds(before[1], own[1]) <= 0
  })
  return { ends, areAscending }
}

function endsOf({ chunks }: ChunkedFile, leading: string): Ends {
  let ends: Ends
  for (const { bounds } of chunks) {
    const own = bounds[leading]
    if (own === undefined) return undefined
    const [least, most]: readonly [Bound, Bound] = ends ?? own
    ends = [
      compareBounds(own[0], least) < 0 ? own[0] : least,
      compareBounds(own[1], most) > 0 ? own[1] : most,
    ]
  }
  return ends
}

function mayHave(ends: Ends, { match, value }: Predicate): boolean {
  if (ends === undefined || (typeof value !== 'bigint' && typeof value !== 'string')) return true
  const isAfter = match !== 'atMost' && compareBounds(ends[1], value) < 0
  return !isAfter && (match === 'atLeast' || compareBounds(ends[0], value) <= 0)
}

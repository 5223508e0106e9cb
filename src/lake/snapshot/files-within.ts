import { firstIndex } from '../../base/values/first-index.ts'
import { itemAt } from '../../base/values/item-at.ts'
import type { Predicate } from '../../catalog/query/plan.ts'
import type { Bound, ChunkedFile } from '../facts/chunk.ts'
import { compareBounds } from '../facts/chunk-match.ts'

type Ends = readonly [least: Bound, most: Bound]

interface FileEnds {
  /** Minimum and maximum of each file; undefined where the log does not say. */
  readonly ends: readonly (Ends | undefined)[]
  /** The same, if minima and maxima both ascend, so that matching files are consecutive; otherwise undefined. */
  readonly ascending: readonly Ends[] | undefined
}

const cache = new WeakMap<readonly ChunkedFile[], FileEnds>()

/**
 * Selects the files that may have rows for the predicates on their leading column, which is always the same for one
 * list. Reads no file, and gathers the ends of files once per list.
 */
export function filesWithin<T extends ChunkedFile>(
  files: readonly T[],
  leading: string,
  where: readonly Predicate[],
): readonly T[] {
  const predicates = where.filter(({ column, match }) => column === leading && match !== 'anyOf')
  if (predicates.length === 0 || files.length === 1) return files
  const { ends, ascending } = cache.get(files) ?? gatherEnds(files, leading)
  if (ascending === undefined)
    return files.filter((_, index) => predicates.every((predicate) => mayHave(ends[index], predicate)))
  let [first, end] = [0, files.length]
  for (const { match, value } of predicates) {
    if (typeof value !== 'bigint' && typeof value !== 'string') continue
    const reaches = (index: number) => compareBounds(itemAt(ascending, index)[1], value) >= 0
    const isAbove = (index: number) => compareBounds(itemAt(ascending, index)[0], value) > 0
    if (match !== 'atMost') first = Math.max(first, firstIndex(files.length, reaches))
    if (match !== 'atLeast') end = Math.min(end, firstIndex(files.length, isAbove))
  }
  return files.slice(first, end)
}

function gatherEnds(files: readonly ChunkedFile[], leading: string): FileEnds {
  const ends = files.map((file) => endsOf(file, leading))
  const complete = ends.filter((pair) => pair !== undefined)
  const isAscending = complete.every((pair, index) => {
    const before = complete[index - 1]
    return !before || (compareBounds(before[0], pair[0]) <= 0 && compareBounds(before[1], pair[1]) <= 0)
  })
  const gathered = { ends, ascending: isAscending && complete.length === ends.length ? complete : undefined }
  cache.set(files, gathered)
  return gathered
}

function endsOf({ chunks }: ChunkedFile, leading: string): Ends | undefined {
  let ends: Ends | undefined
  for (const { bounds } of chunks) {
    const pair = bounds[leading]
    if (pair === undefined) return undefined
    const [least, most]: Ends = ends ?? pair
    ends = [
      compareBounds(pair[0], least) < 0 ? pair[0] : least,
      compareBounds(pair[1], most) > 0 ? pair[1] : most,
    ]
  }
  return ends
}

function mayHave(ends: Ends | undefined, { match, value }: Predicate): boolean {
  if (ends === undefined || (typeof value !== 'bigint' && typeof value !== 'string')) return true
  const isAfter = match !== 'atMost' && compareBounds(ends[1], value) < 0
  return !isAfter && (match === 'atLeast' || compareBounds(ends[0], value) <= 0)
}

import type { Predicate } from '../query/plan.ts'
import type { Bound, ChunkedFile } from './chunk.ts'
import { compareBounds } from './chunk-match.ts'

/** The least and the most value of a file; undefined where the log does not say. */
type Ends = readonly [Bound, Bound] | undefined

const known = new WeakMap<readonly ChunkedFile[], readonly Ends[]>()

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
  const ends = known.get(files) ?? files.map((file) => endsOf(file, leading))
  known.set(files, ends)
  return files.filter((_, at) => own.every((predicate) => mayHave(ends[at], predicate)))
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

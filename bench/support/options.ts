import type { Workload } from './network.ts'

/** The options of `npm run bench`, for either comparison. */
export interface BenchOptions {
  readonly size: string
  readonly workload: Workload
  /** A try, too short to learn from. */
  readonly isSmall: boolean
  /** Whether every case is timed. */
  readonly isWhole: boolean
  /** A folder with a lake, its archive and its network that are there already; they stay as they are. */
  readonly made: string | undefined
  readonly wanted: (id: string) => boolean
  /** Prints a line with the seconds since the beginning. */
  readonly say: (line: string) => void
}

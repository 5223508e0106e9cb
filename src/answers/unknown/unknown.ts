import { ServiceError } from '../../base/errors.ts'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import type { IdentifierColumn } from '../../catalog/identities.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { AccessPaths } from '../rows/choose.ts'
import type { Pages } from '../rows/pages.ts'
import type { Identified } from './identified.ts'
import { openPresentValues } from './present-values.ts'
import type { Reach } from './reach.ts'

/**
 * Values per parameter that no row has; null if that cannot be determined. Parameters without such values are absent.
 */
export type Unknown = Readonly<Record<string, readonly string[] | null>>

export type FindUnknown = ReturnType<typeof openUnknown>

/** Finds the values of a request that no readable row has. */
export function openUnknown(parts: AccessPaths, pages: Pages) {
  const present = openPresentValues(parts, pages)

  /** Returns the columns to search with I/O; undefined if another column has the value. */
  function undecidedOf(holders: readonly IdentifierColumn[], value: string, reach: Reach, at: Snapshot) {
    if (holders.some((holder) => present.isIndexed(holder, value, reach, at))) return undefined
    const undecided: IdentifierColumn[] = []
    for (const holder of holders) {
      const isPresent = present.peek(holder, value, reach, at)
      if (isPresent === true) return undefined
      if (isPresent === undefined) undecided.push(holder)
    }
    return undecided
  }

  function peekUnknown(identified: readonly Identified[], reach: Reach, at: Snapshot): Unknown | undefined {
    const unknown: Record<string, readonly string[]> = {}
    for (const { param, values, holders } of identified)
      for (const value of values) {
        const undecided = undecidedOf(holders, value, reach, at)
        if (undecided === undefined) continue
        if (undecided.length > 0) return undefined
        unknown[param] = [...(unknown[param] ?? []), value]
      }
    return unknown
  }

  /** Returns the values that no column has, or null if a column cannot be searched. */
  async function readUnknown(
    { values, holders }: Identified,
    reach: Reach,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<readonly string[] | null> {
    let remaining = [...new Set(values)]
    let isCertain = true
    for (const holder of holders) {
      if (remaining.length === 0) return remaining
      const filters = reach(holder.resource)
      if (filters === undefined || at.table(holder.resource).rows === 0) continue
      const [missing, undecided] = await peekEach(holder, remaining, reach, at, signal)
      remaining = [...missing, ...undecided]
      if (undecided.length === 0) continue
      if (present.isCheap(holder, at)) {
        const presentValues = await present.read(holder, undecided, filters, at, signal)
        remaining = remaining.filter((value) => !presentValues.has(value))
      } else isCertain = false
    }
    return remaining.length === 0 || isCertain ? remaining : null
  }

  /** Returns the missing values, and the values that need I/O. */
  async function peekEach(
    holder: IdentifierColumn,
    values: readonly string[],
    reach: Reach,
    at: Snapshot,
    signal?: AbortSignal,
  ) {
    const missing: string[] = []
    for (const [index, value] of values.entries()) {
      if (isSliceOver()) await nextSlice(signal)
      const isPresent = present.peek(holder, value, reach, at)
      // If one value needs I/O, so do the rest.
      if (isPresent === undefined) return [missing, values.slice(index)] as const
      if (!isPresent) missing.push(value)
    }
    return [missing, []] as const
  }

  return {
    /** Returns undefined if the check takes a read. */
    peek(identified: readonly Identified[], reach: Reach, at: Snapshot): Unknown | undefined {
      try {
        return peekUnknown(identified, reach, at)
      } catch (error) {
        if (error instanceof ServiceError) return undefined
        throw error
      }
    },

    /** Identifies the inputs of the result: the searched tables, the readable rows, and whether it can be determined. */
    originOf: (identified: readonly Identified[], reach: Reach, at: Snapshot): string =>
      identified
        .flatMap(({ holders }) => holders)
        .map((holder) => {
          const filters = reach(holder.resource)
          if (filters === undefined) return '-'
          const within = Object.entries(filters).map(([name, value]) => `${name}=${value}`)
          return [at.table(holder.resource).digest, ...within, present.canTell(holder, at)].join(' ')
        })
        .join('\0'),

    async read(
      identified: readonly Identified[],
      reach: Reach,
      at: Snapshot,
      signal?: AbortSignal,
    ): Promise<Unknown> {
      const unknown: Record<string, readonly string[] | null> = {}
      for (const parameter of identified) {
        const values = await readUnknown(parameter, reach, at, signal).catch((error) => {
          signal?.throwIfAborted()
          // A damaged or unreadable table proves nothing about a value.
          if (error instanceof ServiceError) return null
          throw error
        })
        if (values === null || values.length > 0) unknown[parameter.param] = values
      }
      return unknown
    },
  }
}

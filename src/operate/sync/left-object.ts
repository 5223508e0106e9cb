import type { Fetched } from './sync-state.ts'

/** An object that is not in the lake, or not as the source has it, and why. */
export interface LeftObject {
  readonly key: string
  readonly reason: string
}

/** Whether an object is not in the lake as it was when it was fetched or listed last. */
export function isUnsettled({ reason, isChanged }: Fetched): boolean {
  return reason !== undefined || isChanged === true
}

/** The reason why an object was left. */
export function reasonOfLeft({ reason }: Partial<Fetched> = {}): string {
  return reason ?? CHANGED
}

export const CHANGED =
  'it has other bytes than when it was ingested; --replace fetches it again and replaces its rows'

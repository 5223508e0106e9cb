import type { Fetched } from './sync-state.ts'

/** An object that is not in the lake, or with other bytes, and the reason. */
export interface LeftObject {
  readonly key: string
  readonly reason: string
}

/** Returns true if an object was refused or changed. */
export function isUnsettled({ reason, isChanged }: Fetched): boolean {
  return reason !== undefined || isChanged === true
}

export function reasonOfLeft({ reason }: Partial<Fetched> = {}): string {
  return reason ?? CHANGED
}

export const CHANGED =
  'it has other bytes than when it was ingested; --replace fetches it again and replaces its rows'

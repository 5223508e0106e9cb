import { vi } from 'vitest'

/** Ends a wait for what never comes. No test has a limit of its own: a busy machine takes as long as it takes. */
const HANGS_MS = 300_000

/** Asks again until `check` throws no more, and gives what it gave. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: HANGS_MS, interval: 5 })

/** Asks again until `check` gives something truthy. */
export const waitUntil = <T>(check: () => T | Promise<T>) =>
  vi.waitUntil(check, { timeout: HANGS_MS, interval: 5 })

import { LRUCache } from 'lru-cache'

/** What is remembered, by its key; the oldest go when the memory is full. */
export interface Memory<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  clear(): void
}

/** Of the bytes remembered, what one value may take. */
const LARGEST_SHARE = 1 / 16

/** A memory of so many bytes; with none, nothing is remembered. `bytesOf` tells what a value takes. */
export function openMemory<T extends object>(
  mostBytes: number,
  bytesOf: (value: T, key: string) => number,
): Memory<T> {
  if (mostBytes === 0) return { get: () => undefined, set: () => {}, clear: () => {} }
  const memory = new LRUCache<string, T>({
    maxSize: mostBytes,
    maxEntrySize: Math.max(1, Math.floor(mostBytes * LARGEST_SHARE)),
    sizeCalculation: bytesOf,
  })
  return {
    get: (key) => memory.get(key),
    set: (key, value) => memory.set(key, value),
    clear: () => memory.clear(),
  }
}

import { must } from './target.ts'

/** No case is large, so a larger allocation took a number of its input for a size. */
const MOST_BYTES = 64 * 2 ** 20

const names = ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const

/** Watches how much memory is allocated at once. `check` throws if it was too much since the last call. */
export function watchAllocations(): { check(): void; close(): void } {
  const real = names.map((name) => [name, Buffer[name]] as const)
  let largest = 0
  for (const [name, allocate] of real)
    Buffer[name] = ((size: number, ...more: []) => {
      largest = Math.max(largest, size)
      return allocate.call(Buffer, size, ...more)
    }) as typeof Buffer.alloc
  return {
    check() {
      const seen = largest
      largest = 0
      must(seen <= MOST_BYTES, () => `${seen} bytes were allocated at once`)
    },
    close() {
      for (const [name, allocate] of real) Buffer[name] = allocate as typeof Buffer.alloc
    },
  }
}

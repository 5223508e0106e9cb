/** No case is large, so whoever asks for so much at once took a number of its input for a size. */
const MOST_BYTES = 64 * 2 ** 20

const names = ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const

/** Watches how much memory is asked for at once. `takeFault`: what was too much since the last call. */
export function watchAllocations(): { takeFault(): readonly string[]; close(): void } {
  const real = names.map((name) => [name, Buffer[name]] as const)
  let largest = 0
  for (const [name, allocate] of real)
    Buffer[name] = ((size: number, ...more: []) => {
      largest = Math.max(largest, size)
      return allocate.call(Buffer, size, ...more)
    }) as typeof Buffer.alloc
  return {
    takeFault() {
      const seen = largest
      largest = 0
      return seen > MOST_BYTES ? [`${seen} bytes were asked for at once`] : []
    },
    close() {
      for (const [name, allocate] of real) Buffer[name] = allocate as typeof Buffer.alloc
    },
  }
}

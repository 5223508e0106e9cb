/**
 * Elements of typed arrays. Each kind of array has a function of its own, so that V8 compiles it for one kind and
 * inlines it into loops. The caller guarantees the index. Errors: RangeError for an index out of range.
 */
export function byteAt(items: Uint8Array, index: number): number {
  return items[index] ?? outOfRange(items, index)
}

export function uint16At(items: Uint16Array, index: number): number {
  return items[index] ?? outOfRange(items, index)
}

export function int32At(items: Int32Array, index: number): number {
  return items[index] ?? outOfRange(items, index)
}

export function uint32At(items: Uint32Array, index: number): number {
  return items[index] ?? outOfRange(items, index)
}

export function doubleAt(items: Float64Array, index: number): number {
  return items[index] ?? outOfRange(items, index)
}

export function longAt(items: BigInt64Array, index: number): bigint {
  return items[index] ?? outOfRange(items, index)
}

function outOfRange(items: { readonly length: number }, index: number): never {
  throw new RangeError(`index ${index} of an array of ${items.length}`)
}

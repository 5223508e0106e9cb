/** Inclusive range; `none` if the file has no byte of it; undefined for the whole file. */
export type ByteRange = { readonly first: number; readonly last: number } | 'none' | undefined

/** Parses a Range header. Ignores several ranges, other units and invalid values. Source: RFC 9110, 14. */
export function readByteRange(header: string | undefined, bytes: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), bytes)
    return length === 0 ? 'none' : { first: bytes - length, last: bytes - 1 }
  }
  const [first, last] = [Number(from), to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)]
  if (to !== '' && Number(to) < first) return undefined
  return first >= bytes ? 'none' : { first, last }
}

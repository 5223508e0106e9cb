/** Bytes of a file, both ends included; a range that it has none of; or undefined for the whole file. */
export type ByteRange = { readonly first: number; readonly last: number } | 'none' | undefined

/**
 * What a Range header asks of a file. Several ranges, other units and what cannot be read are taken for none, as HTTP allows, and the
 * whole file is sent. Source: RFC 9110, 14.
 */
export function byteRangeOf(header: string | undefined, bytes: number): ByteRange {
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

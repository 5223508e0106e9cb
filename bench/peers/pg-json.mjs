/** JSON as the server under comparison writes it, out of the texts that PostgreSQL sends; none of them goes through a double. */

export function pageText(envelope, total, page, perPage, records) {
  const pages = Math.max(1, Math.ceil(total / perPage))
  const next = page < pages ? page + 1 : null
  const previous = page > 1 ? page - 1 : null
  return `{"meta":{"count":${records.length},"total_pages":${pages},"current_page":${page},"next_page":${next},"prev_page":${previous}},"${envelope}":[${records.join(',')}]}`
}

/** Digits as whole tokens; at least one digit stays after the point. */
export function inTokens(digits, decimals) {
  const padded = digits.padStart(decimals + 1, '0')
  const point = padded.length - decimals
  let end = padded.length
  while (end > point + 1 && padded[end - 1] === '0') end -= 1
  return `${padded.slice(0, point)}.${padded.slice(point, end)}`
}

/** `2025-01-31 00:00:00+00`, as a session in UTC writes it, with a T and a Z. */
export function instantText(text) {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
}

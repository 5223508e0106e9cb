const POSITIVE = 0x0000
const NEGATIVE = 0x4000
const NAN = 0xc000
/** Decimal digits of a group. */
const GROUP = 4

/** Writes an exact decimal text as a binary NUMERIC: groups of four digits. Source: PostgreSQL, numeric.c. */
export function numericOf(text: string): Buffer {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (sign === undefined) return groupsOf([], 0, NAN, 0)
  const head = whole.padStart(Math.ceil(whole.length / GROUP) * GROUP, '0')
  const tail = fraction.padEnd(Math.ceil(fraction.length / GROUP) * GROUP, '0')
  const groups = (`${head}${tail}`.match(/\d{4}/g) ?? []).map(Number)
  let weight = head.length / GROUP - 1
  let first = 0
  while (groups[first] === 0) {
    first += 1
    weight -= 1
  }
  let end = groups.length
  while (end > first && groups[end - 1] === 0) end -= 1
  const digits = groups.slice(first, end)
  const isZero = digits.length === 0
  return groupsOf(digits, isZero ? 0 : weight, sign === '-' && !isZero ? NEGATIVE : POSITIVE, fraction.length)
}

function groupsOf(digits: readonly number[], weight: number, sign: number, scale: number): Buffer {
  const bytes = Buffer.alloc(8 + 2 * digits.length)
  bytes.writeUInt16BE(digits.length, 0)
  bytes.writeInt16BE(weight, 2)
  bytes.writeUInt16BE(sign, 4)
  bytes.writeUInt16BE(scale, 6)
  for (const [index, digit] of digits.entries()) bytes.writeUInt16BE(digit, 8 + 2 * index)
  return bytes
}

/** Reads a binary NUMERIC as an exact decimal text; undefined if it is malformed. */
export function numericText(bytes: Buffer): string | undefined {
  if (bytes.length < 8) return undefined
  const [count, weight] = [bytes.readUInt16BE(0), bytes.readInt16BE(2)]
  const [sign, scale] = [bytes.readUInt16BE(4), bytes.readUInt16BE(6)]
  if (bytes.length !== 8 + 2 * count || Math.abs(weight) > 64 || scale > 256) return undefined
  if (sign === NAN) return 'NaN'
  if (sign !== POSITIVE && sign !== NEGATIVE) return undefined
  const groupAt = (position: number) => {
    const index = weight - position
    return index >= 0 && index < count
      ? String(bytes.readUInt16BE(8 + 2 * index)).padStart(GROUP, '0')
      : '0000'
  }
  let whole = ''
  for (let position = Math.max(weight, 0); position >= 0; position -= 1) whole += groupAt(position)
  let fraction = ''
  for (let position = -1; fraction.length < scale; position -= 1) fraction += groupAt(position)
  const digits = whole.replace(/^0+(?=\d)/, '')
  return `${sign === NEGATIVE ? '-' : ''}${digits}${scale > 0 ? `.${fraction.slice(0, scale)}` : ''}`
}

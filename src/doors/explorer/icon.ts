import { crc32, deflateSync } from 'node:zlib'

/** The icon: bars of a chart on blue, on a grid of 16 by 16. All bars are within the circle that masks of phones keep. */
const GRID = 16
const GROUND = [0x0b, 0x57, 0xb5] as const
const INK = [0xff, 0xff, 0xff] as const
/** Left edge, top edge, width, and height of each bar. */
const bars = [
  [4, 9, 2, 3],
  [7, 6, 2, 6],
  [10, 4, 2, 8],
] as const

const hex = (color: readonly number[]) =>
  `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

export const iconColor = hex(GROUND)

export function iconSvg(): string {
  const rects = bars.map(
    ([x, y, width, height]) => `<rect x="${x}" y="${y}" width="${width}" height="${height}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${GRID} ${GRID}"><path fill="${hex(GROUND)}" d="M0 0h${GRID}v${GRID}H0z"/><g fill="${hex(INK)}">${rects.join('')}</g></svg>\n`
}

/** Returns the icon as PNG with a palette of two colours; `size` is a multiple of 16. */
export function iconPng(size: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // One bit a pixel, of the palette.
  header.set([1, 3, 0, 0, 0], 8)
  const unit = size / GRID
  const lines = Array.from({ length: size }, (_, y) => line(size, (x) => isInk(x / unit, y / unit)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...GROUND, ...INK])),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const isInk = (x: number, y: number) =>
  bars.some(([left, top, width, height]) => x >= left && x < left + width && y >= top && y < top + height)

/** A line without a filter, eight pixels a byte. */
function line(size: number, isSet: (x: number) => boolean): Buffer {
  const bytes = Buffer.alloc(1 + size / 8)
  for (let x = 0; x < size; x += 1)
    if (isSet(x)) bytes[1 + (x >> 3)] = (bytes[1 + (x >> 3)] ?? 0) | (128 >> (x & 7))
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

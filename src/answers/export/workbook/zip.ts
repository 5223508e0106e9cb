import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive. */
export interface ZipPart {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

const VERSION = 20
/** Sizes follow the bytes; names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
/** 1 January 1980, so that equal parts are equal archives. */
const DATE = 0x21

/**
 * Compresses parts into a ZIP archive while they are produced; archives of 4 GiB or more are not supported.
 * Source: PKWARE, APPNOTE.TXT 6.3.10, 4.3.
 */
export async function* zip(parts: Iterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = []
  let [offset, start] = [0, 0]
  const counted = (bytes: Uint8Array) => {
    offset += bytes.length
    return bytes
  }
  for (const { name, bytes } of parts) {
    start = offset
    const [sizes, encoded] = [{ crc: 0, plain: 0 }, Buffer.from(name)]
    yield counted(Buffer.concat([fields('I', 0x04034b50), common(0, 0, 0, encoded.length), encoded]))
    const before = offset
    for await (const piece of Readable.from(measured(bytes, sizes)).pipe(createDeflateRaw()))
      yield counted(piece)
    const packed = offset - before
    yield counted(fields('IIII', 0x08074b50, sizes.crc, packed, sizes.plain))
    const entry = common(sizes.crc, packed, sizes.plain, encoded.length)
    // Comment, disk and attributes are empty.
    const rest = fields('HHHII', 0, 0, 0, 0, start)
    directory.push(Buffer.concat([fields('IH', 0x02014b50, VERSION), entry, rest, encoded]))
  }
  start = offset
  for (const entry of directory) yield counted(entry)
  const { length } = directory
  yield fields('IHHHHIIH', 0x06054b50, 0, 0, length, length, offset - start, start, 0)
}

/** Fields that both headers of a part share. */
function common(crc: number, packed: number, plain: number, name: number): Buffer {
  return fields('HHHHHIIIHH', VERSION, FLAGS, DEFLATE, 0, DATE, crc, packed, plain, name, 0)
}

async function* measured(bytes: AsyncIterable<Uint8Array>, sizes: { crc: number; plain: number }) {
  for await (const piece of bytes) {
    sizes.crc = crc32(piece, sizes.crc)
    sizes.plain += piece.length
    yield piece
  }
}

/** Packs integers, little-endian: H has 16 bits, I has 32. */
function fields(form: string, ...values: readonly number[]): Buffer {
  const bytes = [...form].map((type, index) => {
    const field = Buffer.alloc(type === 'H' ? 2 : 4)
    field.writeUIntLE(values[index] ?? 0, 0, field.length)
    return field
  })
  return Buffer.concat(bytes)
}

import { crc32, inflateRawSync } from 'node:zlib'

/** The files of a ZIP archive by name, read from its directory, with sizes and checksums compared. */
export function unzip(bytes: Buffer): ReadonlyMap<string, string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const files = new Map<string, string>()
  let entry = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [crc, packed, size] = [16, 20, 24].map((at) => bytes.readUInt32LE(entry + at))
    const [names, extra, comment] = [28, 30, 32].map((at) => bytes.readUInt16LE(entry + at))
    const name = bytes.toString('utf8', entry + 46, entry + 46 + (names ?? 0))
    const local = bytes.readUInt32LE(entry + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = inflateRawSync(bytes.subarray(start, start + (packed ?? 0)))
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is damaged`)
    files.set(name, content.toString())
    entry += 46 + (names ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return files
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const plain = (xml: string) => xml.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? '?')

/** The cells of a sheet: text in quotes, so that it is told from a number. */
export function cellsOf(sheet: string): readonly (readonly string[])[] {
  return [...sheet.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, cell = '']) => {
      const [, number] = /^<v>(.*)<\/v>$/.exec(cell) ?? []
      const [, text] = /^<is><t[^>]*>(.*)<\/t><\/is>$/s.exec(cell) ?? []
      return text === undefined ? (number ?? '') : `"${plain(text)}"`
    }),
  )
}

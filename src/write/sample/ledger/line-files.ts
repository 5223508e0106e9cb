import { type PartFile, writeParts } from '../whole-file.ts'

const CHUNK_CHARACTERS = 256 * 1024
/**
 * Level 1 of zlib with its largest hash table is fastest: half the bytes of the text, in no more time than drawing it.
 */
const gzip = { level: 1, memLevel: 9, chunkSize: 256 * 1024 }

/**
 * Writes lines, each with its line break, as gzip files. The first file starts with a header; a new file starts after
 * `mostLines` lines. Errors: those of `writeParts`.
 */
export function writeLineFiles(
  pathOf: (part: number) => string,
  header: string,
  lines: Iterable<string>,
  mostLines: number,
): Promise<readonly PartFile[]> {
  const chunksOf = (ofFile: Iterable<string>, part: number) =>
    lineChunks(part === 0 ? `${header}\n` : '', ofFile)
  return writeParts({ pathOf, items: lines, mostItems: mostLines, chunksOf, gzip })
}

function* lineChunks(begin: string, lines: Iterable<string>): Generator<string> {
  let chunk = begin
  for (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

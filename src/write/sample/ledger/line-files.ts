import { type PartFile, writeParts } from '../whole-file.ts'

const CHUNK_CHARACTERS = 256 * 1024
/** Level 1 of zlib, with the table that makes it fastest: half the bytes of the text, and no more time than to make it. */
const gzip = { level: 1, memLevel: 9, chunkSize: 256 * 1024 }

/**
 * Writes lines as gzip files, each line with its line break; the first file begins with a header, and a new file begins
 * after `mostLines` lines. Errors: those of `writeParts`.
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

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Export } from '../../../answers/export/export-list.ts'
import { inPieces } from '../../../answers/export/in-pieces.ts'
import { fail, sentenceOf } from '../../../base/errors.ts'
import type { OutFile } from '../../out-file.ts'
import { openAmountProgress } from '../../progress.ts'

export async function writeFile(
  file: OutFile,
  out: string,
  list: Export,
  signal: AbortSignal,
): Promise<void> {
  try {
    await file.fill((path) => writeTo(createWriteStream(path), list, signal), signal)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && 'syscall' in cause)
      fail('lake_unwritable', `Cannot write ${out}: ${sentenceOf(cause)}.`, { cause })
    throw cause
  }
}

export async function writeTo(
  stream: NodeJS.WritableStream,
  { rows, bytes }: Export,
  signal: AbortSignal,
): Promise<void> {
  const progress = openAmountProgress(process.stderr, 'rows')
  try {
    const pieces = Readable.from(inPieces(bytes((done) => progress.update(done, rows))), {
      objectMode: false,
    })
    await pipeline(pieces, stream, { signal, end: stream !== process.stdout })
  } finally {
    progress.stop()
  }
}

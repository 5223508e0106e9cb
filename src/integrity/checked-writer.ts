import type { DataFile, FileToRead } from '../lake/data-file.ts'
import type { FileRowsReader } from '../lake/file-rows-reader.ts'
import type { KeyedReader } from '../lake/keyed-reader.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import type { CheckedFiles } from './checked-files.ts'

/** What reads data files to build something from them. */
type Builder = KeyedReader & FileRowsReader

/** The same, of sound files alone: what is built from damaged ones would be wrong with checksums of its own. */
export function checkedWriter(openWriter: OpenWriter<Builder>, checked: CheckedFiles): OpenWriter<Builder> {
  return async (spillFolder, signal) => {
    const writer = await openWriter(spillFolder, signal)
    async function* sent<T>(files: readonly FileToRead[], rows: AsyncIterable<T>): AsyncGenerator<T> {
      try {
        yield* rows
      } finally {
        // Who reads them may know how many they are, and ask for no end.
        await checked.read(digestedOf(files), async () => {}, signal)
      }
    }
    return {
      async readKeyed(resource, asked) {
        const { batches, ...known } = await checked.read(
          digestedOf(asked.files),
          () => writer.readKeyed(resource, asked),
          signal,
        )
        return { ...known, batches: sent(asked.files, batches) }
      },
      readFileRows: (resource, file, ...asked) =>
        checked.stream(digestedOf([file]), () => writer.readFileRows(resource, file, ...asked), signal),
      readSortedRows: (resource, files, firstRow) =>
        checked.stream(digestedOf(files), () => writer.readSortedRows(resource, files, firstRow), signal),
      readTexts: (resource, file, column) =>
        checked.read(digestedOf([file]), () => writer.readTexts(resource, file, column), signal),
      close: () => writer.close(),
    }
  }
}

/** Errors: Error for a file whose digest nothing names. */
function digestedOf(files: readonly FileToRead[]): readonly DataFile[] {
  return files.map((file) => {
    if (!isDataFile(file)) throw new Error('nothing names the digest of a file')
    return file
  })
}

const isDataFile = (file: FileToRead): file is DataFile => typeof file !== 'string' && 'sha256' in file

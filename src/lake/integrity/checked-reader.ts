import type { DataFile, FileToRead } from '../facts/data-file.ts'
import type { FileRowsReader, RowVectors } from '../ports/file-rows-reader.ts'
import type { OpenWriter } from '../ports/open-writer.ts'
import type { CheckedFiles } from './checked-files.ts'

/** Wraps a reader so that it reads checked files only: an index of a damaged file would have valid checksums. */
export function checkedReader(
  openReader: OpenWriter<FileRowsReader>,
  checked: CheckedFiles,
): OpenWriter<FileRowsReader> {
  return async (spillFolder, signal) => {
    const reader = await openReader(spillFolder, signal)
    const { mayBeDamage } = reader
    const stream = (files: readonly FileToRead[], read: () => AsyncIterable<RowVectors>) =>
      checked.stream(digestedOf(files), read, signal, mayBeDamage)
    return {
      mayBeDamage,
      readFileRows: (resource, file, columns) =>
        stream([file], () => reader.readFileRows(resource, file, columns)),
      readSortedRows: (resource, files, firstRow) =>
        stream(files, () => reader.readSortedRows(resource, files, firstRow)),
      close: () => reader.close(),
    }
  }
}

/** Errors: Error for a file without a known digest. */
function digestedOf(files: readonly FileToRead[]): readonly DataFile[] {
  return files.map((file) => {
    if (!isDataFile(file)) throw new Error('nothing names the digest of a file')
    return file
  })
}

const isDataFile = (file: FileToRead): file is DataFile => typeof file !== 'string' && 'sha256' in file

import type { DataFile, FileToRead } from '../facts/data-file.ts'
import type { FileRowsReader } from '../ports/file-rows-reader.ts'
import type { OpenWriter } from '../ports/open-writer.ts'
import type { CheckedFiles } from './checked-files.ts'

/** Wraps a reader so that it reads checked files only: an index of a damaged file would have valid checksums. */
export function checkedWriter(
  openWriter: OpenWriter<FileRowsReader>,
  checked: CheckedFiles,
): OpenWriter<FileRowsReader> {
  return async (spillFolder, signal) => {
    const writer = await openWriter(spillFolder, signal)
    return {
      readFileRows: (resource, file, columns) =>
        checked.stream(digestedOf([file]), () => writer.readFileRows(resource, file, columns), signal),
      readSortedRows: (resource, files, firstRow) =>
        checked.stream(digestedOf(files), () => writer.readSortedRows(resource, files, firstRow), signal),
      close: () => writer.close(),
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

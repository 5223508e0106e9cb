import { rm } from 'node:fs/promises'
import type { ContentReader } from '../lake/ports/content-reader.ts'
import { openPartList, partAt } from './blocks/block-layout.ts'
import { type FilePart, openParts } from './blocks/container.ts'
import type { DerivedFile } from './maintenance/derived.ts'
import { type OpenFile, openIfIntact } from './open-files.ts'

/** Part lists of every index file. */
interface PartLists {
  readonly blocks: FilePart
  readonly texts: Readonly<Record<string, FilePart>>
}

/** Verification of one kind of index file. */
interface Verification<Contents extends PartLists, File extends OpenFile> {
  readonly magic: string
  /** The parts other than blocks and texts. */
  partsOf(contents: Contents): readonly FilePart[]
  /** The fault of a file whose parts are intact. */
  faultOf(contents: Contents): string | undefined
  /** Undefined for an index of other data files: only its checksums can be verified. */
  readonly open: (() => File) | undefined
  differenceOf(file: File, reader: ContentReader): Promise<string | undefined>
}

export function createDerivedFile<Contents extends PartLists, File extends OpenFile>(
  path: string,
  { magic, partsOf, faultOf, open, differenceOf }: Verification<Contents, File>,
): DerivedFile {
  return {
    path,
    async fault() {
      try {
        return openParts(path, magic, (file) => {
          const contents: Contents = JSON.parse(file.contents)
          for (const list of [contents.blocks, ...Object.values(contents.texts)]) {
            const parts = openPartList(file.read(list))
            for (const index of parts.starts.keys()) file.read(partAt(parts, index))
          }
          for (const part of partsOf(contents)) file.read(part)
          const fault = faultOf(contents)
          file.close()
          return fault
        })
      } catch {
        return 'is damaged'
      }
    },
    async difference(reader) {
      const file = open && openIfIntact(open)
      try {
        return file && (await differenceOf(file, reader))
      } finally {
        file?.close()
      }
    },
    remove: () => rm(path, { force: true }),
  }
}

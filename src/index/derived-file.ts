import { rm } from 'node:fs/promises'
import type { ContentReader } from '../lake/ports/content-reader.ts'
import { openPartList, partAt } from './blocks/block-layout.ts'
import { openParts, type Part } from './blocks/container.ts'
import type { DerivedFile } from './maintenance/derived.ts'
import { type OpenFile, openIfIntact } from './open-files.ts'

/** The lists of parts that every index file has. */
interface Lists {
  readonly blocks: Part
  readonly texts: Readonly<Record<string, Part>>
}

/** How a kind of index file is verified. */
interface Verification<Contents extends Lists, File extends OpenFile> {
  readonly magic: string
  /** The parts beside blocks and texts. */
  partsOf(contents: Contents): readonly Part[]
  /** The fault of a file whose parts are intact. */
  faultOf(contents: Contents): string | undefined
  /** Undefined if the file is of other data files: then only its bytes can be checked. */
  readonly open: (() => File) | undefined
  differenceOf(file: File, reader: ContentReader): Promise<string | undefined>
}

/** An index file, to be verified. */
export function derivedFile<Contents extends Lists, File extends OpenFile>(
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

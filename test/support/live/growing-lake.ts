import type { RowWriter } from '../../../src/engine/parquet/duckdb-row-writer.ts'
import type { ArtifactKind } from '../../../src/write/ingest/files/artifact.ts'
import { ingestInto } from '../lakes/build-lake.ts'
import { makeLake, writeOracleFiles } from '../lakes/make-lake.ts'
import { openTestWriter } from '../open-test-writer.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { networkFiles } from './network.ts'

/** A lake of file 0 of each table, and a folder with the files of so many commits to each. */
export interface GrowingLake {
  readonly lake: string
  readonly input: string
  readonly commits: number
}

export async function growingLake(commits: number): Promise<GrowingLake> {
  const { folder } = await makeLake(networkFiles(0, 0))
  const input = await temporaryFolder()
  await writeOracleFiles(input, networkFiles(1, commits))
  return { lake: folder, input, commits }
}

/** Commits every file by itself. Each commit waits until it is let go. */
export function writeSlowly(
  lake: string,
  input: string,
  kinds: readonly ArtifactKind[],
  letGo: () => Promise<void>,
): Promise<unknown> {
  const openWriter = async (spillFolder: string): Promise<RowWriter> => {
    const writer = await openTestWriter(spillFolder)
    return {
      ...writer,
      async inspect(resource, path) {
        await letGo()
        return await writer.inspect(resource, path)
      },
    }
  }
  return ingestInto(lake, [input], { kinds, commitRows: 1, openWriter })
}

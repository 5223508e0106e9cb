import type { Resource } from '../../../catalog/resource.ts'
import { resourceNamed } from '../../../catalog/resources.ts'
import type { IngestWriter } from '../../../lake/ports/ingest-writer.ts'
import type { Stage } from '../../../lake/ports/stage.ts'
import type { KindReader } from '../../wire/row-decoder.ts'
import type { Artifact, ArtifactKind } from '../files/artifact.ts'
import type { BlockRange } from '../files/block-range.ts'
import { type DecodedArtifact, type DecodeLimits, decodeArtifact } from './decode-artifact.ts'
import { decodeCsv } from './decode-csv.ts'
import { openKindReader } from './kinds.ts'

/** How the files of one kind become rows of a table. */
export interface Intake {
  readonly resource: Resource
  /** Whether files are decoded while others are committed; the engine itself cannot read some and write others. */
  readonly isBeside: boolean
  /** A stage for some files. */
  open(writer: IngestWriter): Promise<OpenIntake>
}

/** A stage, and what fills it. */
export interface OpenIntake {
  readonly stage: Stage
  /** `index` is the number of the source in the stage, `only` other blocks than those of the intake. Errors: FileFault. */
  decode(artifact: Artifact, index: number, limits: DecodeLimits, only?: BlockRange): Promise<DecodedArtifact>
}

interface IntakeOptions {
  /** What decodes the messages of each kind; unless given, what this build knows. */
  readonly openReader?: ((kind: ArtifactKind) => KindReader) | undefined
  /** Only records of these blocks are taken. */
  readonly blocks?: BlockRange | undefined
}

export function intakeOf(kind: ArtifactKind, { openReader = openKindReader, blocks }: IntakeOptions): Intake {
  const table = resourceNamed(kind)
  if (table?.arrival?.as === 'csv') {
    return {
      resource: table,
      isBeside: false,
      async open(writer) {
        const stage = writer.openCsvStage(table)
        const decode: OpenIntake['decode'] = (artifact, index, limits, only = blocks) =>
          decodeCsv(table, stage, only, artifact, index, limits)
        return { stage, decode }
      },
    }
  }
  const reader = openReader(kind)
  const { resource } = reader.decoder
  return {
    resource,
    isBeside: true,
    async open(writer) {
      const stage = await writer.openStage(resource, reader.shapes)
      return {
        stage,
        decode: (artifact, index, limits) => decodeArtifact(reader, stage, artifact, index, limits),
      }
    },
  }
}

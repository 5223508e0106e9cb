import type { Resource } from '../../../catalog/resource.ts'
import { resourceNamed } from '../../../catalog/resources.ts'
import type { IngestWriter } from '../../ports/ingest-writer.ts'
import type { Stage } from '../../ports/stage.ts'
import type { KindReader } from '../../wire/row-decoder.ts'
import type { Artifact, ArtifactKind } from '../files/artifact.ts'
import type { BlockRange } from '../files/block-range.ts'
import { type DecodedArtifact, type DecodeLimits, decodeArtifact } from './decode-artifact.ts'
import { decodeCsv } from './decode-csv.ts'
import { openKindReader } from './kinds.ts'

/** Decodes the files of one kind into rows of a table. */
export interface Intake {
  readonly resource: Resource
  /** True if files can be decoded during commits. The engine cannot load CSV while it writes. */
  readonly isBeside: boolean
  open(writer: IngestWriter): Promise<OpenIntake>
}

/** A stage and its decoder. */
export interface OpenIntake {
  readonly stage: Stage
  /** `index` numbers the source in the stage; `only` overrides the block range of the intake. Errors: FileFault. */
  decode(artifact: Artifact, index: number, limits: DecodeLimits, only?: BlockRange): Promise<DecodedArtifact>
}

interface IntakeOptions {
  /** Opens the decoder of a kind; tests replace it. */
  readonly openReader?: ((kind: ArtifactKind) => KindReader) | undefined
  /** Range of blocks to ingest. */
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

import type { Repository } from '../../answers/repository.ts'
import type { SourceStatus } from '../../operate/sync/source-status.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { ExportLimits } from '../files/download.ts'
import type { MadeFiles } from '../files/made-files.ts'
import type { Gate } from '../gate/gate.ts'
import type { SqlOptions } from '../gate/sql-access.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { ReplyCache } from '../reply/reply-cache.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'

/** The parts of the server that REST handlers use. */
export interface RestContext extends SqlOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly exports: ExportLimits
  readonly dialect: Dialect
  readonly gate: Gate
  readonly cache: ReplyCache
  readonly pipeline: Pipeline
  /** Undefined if exports are not kept on disk. */
  readonly made?: MadeFiles | undefined
  /** Prefix of the paths in links. */
  readonly basePath: string
  /** Status of the synchronized sources; undefined without a state folder. */
  readonly sources?: (() => Promise<readonly SourceStatus[]>) | undefined
}

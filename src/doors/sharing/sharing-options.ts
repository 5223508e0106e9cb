import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRing } from '../../keys/key-ring.ts'
import type { CheckedFiles } from '../../lake/integrity/checked-files.ts'
import type { ExportLimits } from '../files/download.ts'
import type { Gate } from '../gate/gate.ts'
import type { PublicAddress } from '../http/public-address.ts'
import type { AnswerUnknown } from '../http/unknown-requests.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'

export const SHARING_PATH = '/delta-sharing'

/** Settings of sharing. */
export interface Sharing {
  readonly lake: string
  /** Signing key of file addresses, the same in all worker processes. */
  readonly secret: Buffer
  /** Lifetime of an address in milliseconds. */
  readonly linkMs: number
  /** True if tables are shared without keys. */
  readonly isOpen: boolean
}

export interface SharingContext extends Sharing {
  readonly snapshots: ServedSnapshots
  readonly checkedFiles: CheckedFiles
  readonly keys: KeyRing
  readonly gate: Gate
  readonly requestTimeoutMs: number
  readonly exports: ExportLimits
  readonly outside: PublicAddress
  readonly answerUnknown: AnswerUnknown
}

/** Names in the path of a route. */
export type SharedNames = Readonly<Partial<Record<'share' | 'schema' | 'table', string>>>

/** Admits a request of a recipient and counts it until its reply is sent. Errors: `feature_not_available`, `overloaded`. */
export type Enter = (request: FastifyRequest, reply: FastifyReply) => SharedNames

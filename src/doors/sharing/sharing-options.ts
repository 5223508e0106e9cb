import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CheckedFiles } from '../../lake/integrity/checked-files.ts'
import type { KeyRing } from '../../operate/keys/key-ring.ts'
import type { ExportLimits } from '../files/taken.ts'
import type { Gate } from '../gate/gate.ts'
import type { PublicAddress } from '../http/public-address.ts'
import type { AnswerUnknown } from '../http/unknown-requests.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'

/** What stands before every path of the protocol. */
export const SHARING_PATH = '/delta-sharing'

/** What a server that shares its tables is told. */
export interface Sharing {
  /** Folder of the lake. */
  readonly lake: string
  /** What addresses of files are signed with: the same for all processes that answer for one another. */
  readonly secret: Buffer
  /** How long an address is valid. */
  readonly linkMs: number
  /** Whether tables are shared while no keys are needed. */
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

/** What stands in the path of a request, or in its query. */
export type Names = Readonly<Record<string, string | undefined>>

/** Counts a request of a recipient until its reply is sent. Errors: `feature_not_available`, `overloaded`. */
export type Enter = (request: FastifyRequest, reply: FastifyReply) => Names

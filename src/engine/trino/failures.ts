import { type ErrorCode, ServiceError, sentenceOf } from '../../base/errors.ts'

export interface ClusterError {
  /** Such as `EXCEEDED_TIME_LIMIT`. Source: `StandardErrorCode` of Trino. */
  readonly errorName: string
  readonly message: string
}

type Meaning = readonly [code: ErrorCode, sentence: string]

const late: Meaning = ['deadline_exceeded', 'The answer of Trino took longer than the deadline.']
const full: Meaning = [
  'overloaded',
  'Trino has too much to do, or too little memory for this; ask again in a moment.',
]
const notReady = (sentence: string): Meaning => ['not_ready', sentence]
const absent = notReady(
  'Trino does not know a table of the lake at its version; register the tables with: ledgerlake trino register',
)
const refused = notReady(
  'Trino refuses the user of this server; check --trino-user and LEDGERLAKE_TRINO_PASSWORD.',
)
const forbidden = notReady(
  'Trino does not allow this to the user of this server; check --trino-user, and what --trino-catalog lets it do.',
)
const untrusted = notReady(
  'The certificate of Trino is not signed by a trusted authority; name the file of the authority with NODE_EXTRA_CA_CERTS.',
)
const away = notReady('Trino cannot answer now; ask again in a moment.')

const byName: Readonly<Record<string, Meaning>> = {
  EXCEEDED_TIME_LIMIT: late,
  EXCEEDED_CPU_LIMIT: late,
  QUERY_QUEUE_FULL: full,
  CLUSTER_OUT_OF_MEMORY: full,
  EXCEEDED_GLOBAL_MEMORY_LIMIT: full,
  EXCEEDED_LOCAL_MEMORY_LIMIT: full,
  EXCEEDED_SCAN_LIMIT: full,
  EXCEEDED_SPILL_LIMIT: full,
  CATALOG_NOT_FOUND: absent,
  SCHEMA_NOT_FOUND: absent,
  TABLE_NOT_FOUND: absent,
  // An unknown version of a table.
  INVALID_ARGUMENTS: absent,
  MISSING_CATALOG_NAME: absent,
  PERMISSION_DENIED: forbidden,
}

/** Maps a cluster error to a temporary error of the service. */
export function clusterFault(error: ClusterError): ServiceError {
  const [code, sentence] = byName[error.errorName] ?? away
  return new ServiceError(code, sentence, { cause: new Error(`${error.errorName}: ${error.message}`) })
}

const byStatus: Readonly<Record<number, Meaning>> = { 401: refused, 403: refused, 429: full }

/** Node codes of untrusted certificates. Source: "X509 certificate error codes" of Node. */
const byCode: Readonly<Record<string, Meaning>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
}

/** The same for the HTTP status of a reply. */
export function statusFault(status: number): ServiceError {
  const [code, sentence] = byStatus[status] ?? away
  return new ServiceError(code, sentence, { cause: new Error(`the reply has status code ${status}`) })
}

/** The same for errors of `fetch`, whose cause has the code. A ServiceError is returned unchanged. */
export function transportFault(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code: name = '' } = reason as { readonly code?: string }
  const [code, sentence] = byCode[name] ?? away
  const isPlain = name === 'ERR_SSL_WRONG_VERSION_NUMBER'
  const words = isPlain
    ? 'what listens at --trino-server does not speak TLS; name the port of HTTPS, or http:'
    : sentenceOf(reason)
  const cause = new Error([name, words].filter((word) => word !== '').join(': '))
  return new ServiceError(code, sentence, { cause })
}

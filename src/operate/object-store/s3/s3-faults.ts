import { sentenceOf } from '../../../base/errors.ts'
import { isMembers } from '../../../lake/log/log-actions.ts'
import { type FaultKind, StoreFault } from '../object-store.ts'
import { isPassingError, isPassingStatus } from '../passing-faults.ts'

/** Meanings of S3 error codes. Source: the list of error codes of Amazon S3. */
const byName: Readonly<Record<string, readonly [FaultKind, string]>> = {
  PreconditionFailed: ['changed', 'an object has other bytes than when it was listed'],
  NoSuchKey: ['changed', 'an object that was listed is gone'],
  NotFound: ['changed', 'an object that was listed is gone'],
  InvalidRange: ['changed', 'an object is shorter than when it was listed'],
  ExpiredToken: ['expired', 'the credentials have expired; renew them as for the AWS command line'],
  ExpiredTokenException: ['expired', 'the credentials have expired; renew them as for the AWS command line'],
  TokenRefreshRequired: ['expired', 'the credentials have expired; renew them as for the AWS command line'],
  RequestTimeTooSkewed: ['refused', 'the clock of this machine is wrong; set it'],
  NoSuchBucket: ['refused', 'there is no such bucket; check its name and --endpoint'],
  // Access to other objects may be allowed.
  AccessDenied: [
    'final',
    'access is denied; check the credentials, and whether the requester has to pay (--requester-pays)',
  ],
  InvalidAccessKeyId: ['refused', 'the access key is not known; check AWS_ACCESS_KEY_ID or AWS_PROFILE'],
  SignatureDoesNotMatch: ['refused', 'the secret key is wrong; check AWS_SECRET_ACCESS_KEY or AWS_PROFILE'],
  CredentialsProviderError: [
    'refused',
    'there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
  ],
  PermanentRedirect: ['refused', 'the bucket is in another region; set AWS_REGION'],
  AuthorizationHeaderMalformed: ['refused', 'the bucket is in another region; set AWS_REGION'],
}

/** Error codes that may pass although their status is final: damaged bytes and concurrent writes. */
const passingNames: ReadonlySet<string> = new Set([
  ...['RequestTimeout', 'BadDigest', 'IncompleteBody', 'XAmzContentSHA256Mismatch'],
  ...['ConditionalRequestConflict', 'OperationAborted'],
  ...['SlowDown', 'Throttling', 'ThrottlingException', 'RequestLimitExceeded', 'TooManyRequestsException'],
])

interface S3Error {
  readonly name?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const isS3Error = (error: unknown): error is S3Error => isMembers(error)

/** Converts an error of a request or its body. */
export function faultOfS3(error: unknown, bucket: string): StoreFault {
  if (error instanceof StoreFault) return error
  const { name = '', message = '', $metadata } = isS3Error(error) ? error : {}
  if (message.includes('Region is missing'))
    return new StoreFault('refused', 'there is no region; set AWS_REGION, such as us-west-2')
  const status = $metadata?.httpStatusCode ?? 0
  const [kind, words] = byName[name] ??
    byStatus(status) ?? [kindOf(error, name, status), wordsOf(error, status)]
  return new StoreFault(
    kind,
    `s3://${bucket}: ${words}`,
    new Error(`${name}: ${message}`),
    status >= 300 ? status : 0,
  )
}

function byStatus(status: number): readonly [FaultKind, string] | undefined {
  if (status === 412) return byName.PreconditionFailed
  if (status === 404) return byName.NoSuchKey
  if (status === 403) return byName.AccessDenied
  return undefined
}

/** Without a status there was no reply; a reply of 200 was cut or damaged. */
function kindOf(error: unknown, name: string, status: number): FaultKind {
  if (status === 0) return isPassingError(error) ? 'passing' : 'refused'
  const mayPass = status < 300 || isPassingStatus(status) || passingNames.has(name)
  return mayPass ? 'passing' : 'final'
}

function wordsOf(error: unknown, status: number): string {
  if (status === 0)
    return `the store does not answer (${sentenceOf(error)}); check the network and --endpoint`
  return `the store answers ${status} (${sentenceOf(error)})`
}

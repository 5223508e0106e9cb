import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { fail, sentenceOf } from '../../base/errors.ts'

/** Certificate chain and private key, in PEM. */
interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Paths of the two files, and their first contents. */
export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
  readonly first: Certificate
  /** Polling interval for changes. */
  readonly pollMs: number
}

const POLL_MS = 1000

/**
 * Reads the two files. Returns undefined if both paths are empty.
 * Errors: `malformed_request` if one path is empty, or a file is unreadable or invalid.
 */
export async function openCertificate(
  certFile: string,
  keyFile: string,
  pollMs = POLL_MS,
): Promise<CertificateFiles | undefined> {
  if (certFile === '' && keyFile === '') return undefined
  if (certFile === '' || keyFile === '')
    fail(
      'malformed_request',
      `HTTPS needs both --tls-cert and --tls-key; name the ${certFile === '' ? 'certificate' : 'private key'} too.`,
    )
  const read = (flag: string, path: string) =>
    readFile(path).catch((cause) =>
      fail('malformed_request', `${flag} cannot be read: ${sentenceOf(cause)}.`, { cause }),
    )
  const [cert, key] = await Promise.all([read('--tls-cert', certFile), read('--tls-key', keyFile)])
  checkCertificate({ cert, key }, certFile, keyFile)
  return { certFile, keyFile, first: { cert, key }, pollMs }
}

function checkCertificate(certificate: Certificate, certFile: string, keyFile: string): void {
  const checks = [
    [
      { cert: certificate.cert },
      `${certFile} is not a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.`,
    ],
    [{ key: certificate.key }, `${keyFile} is not a private key in PEM without a passphrase.`],
    [certificate, `The private key in ${keyFile} does not belong to the certificate in ${certFile}.`],
  ] as const
  for (const [options, sentence] of checks) {
    try {
      createSecureContext(options)
    } catch (cause) {
      fail('malformed_request', sentence, { cause })
    }
  }
}

/** A server whose certificate can be replaced. */
interface Renewable {
  setSecureContext(certificate: Certificate): void
  once(event: 'close', listener: () => void): unknown
}

/** Reloads the certificate when the files change. While they are invalid, the server keeps the current one. */
export function followCertificate(
  server: Renewable,
  { certFile, keyFile, pollMs }: CertificateFiles,
  onError: (error: unknown) => void,
): void {
  function reload(): void {
    try {
      const certificate = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
      checkCertificate(certificate, certFile, keyFile)
      server.setSecureContext(certificate)
    } catch (error) {
      onError(
        new Error(`${sentenceOf(error)} HTTPS goes on with the certificate of before.`, { cause: error }),
      )
    }
  }
  const files = [certFile, keyFile]
  for (const file of files) watchFile(file, { interval: pollMs, persistent: false }, reload)
  server.once('close', () => {
    for (const file of files) unwatchFile(file, reload)
  })
}

import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:https'
import { createSecureContext } from 'node:tls'
import { fail, sentenceOf } from '../../base/errors.ts'

/** Certificate chain and private key, in PEM. */
interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Paths of the two files, and what they held when they were read first. */
export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
  readonly first: Certificate
  /** How often to look whether they have changed. */
  readonly lookAgainMs: number
}

const LOOK_AGAIN_MS = 1000

/**
 * Reads the two files. Undefined when neither is named.
 * Errors: `malformed_request` when one is not named, or they cannot be read, or do not belong together.
 */
export async function openCertificate(
  certFile: string,
  keyFile: string,
  lookAgainMs = LOOK_AGAIN_MS,
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
  check({ cert, key }, certFile, keyFile)
  return { certFile, keyFile, first: { cert, key }, lookAgainMs }
}

function check(certificate: Certificate, certFile: string, keyFile: string): void {
  const tries = [
    [
      { cert: certificate.cert },
      `${certFile} is no certificate in PEM; it begins with -----BEGIN CERTIFICATE-----.`,
    ],
    [{ key: certificate.key }, `${keyFile} is no private key in PEM without a passphrase.`],
    [certificate, `The private key in ${keyFile} does not belong to the certificate in ${certFile}.`],
  ] as const
  for (const [options, sentence] of tries) {
    try {
      createSecureContext(options)
    } catch (cause) {
      fail('malformed_request', sentence, { cause })
    }
  }
}

/** Has a server use what the files hold as soon as they change; while they are wrong it goes on with what it has. */
export function followCertificate(
  server: Server,
  { certFile, keyFile, lookAgainMs }: CertificateFiles,
  onError: (error: unknown) => void,
): void {
  function reload(): void {
    try {
      const certificate = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
      check(certificate, certFile, keyFile)
      server.setSecureContext(certificate)
    } catch (error) {
      onError(
        new Error(`${sentenceOf(error)} HTTPS goes on with the certificate of before.`, { cause: error }),
      )
    }
  }
  const files = [certFile, keyFile]
  for (const file of files) watchFile(file, { interval: lookAgainMs, persistent: false }, reload)
  server.once('close', () => {
    for (const file of files) unwatchFile(file, reload)
  })
}

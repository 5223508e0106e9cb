import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const kept = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))

/** The one who may ask a secured cluster. */
export const securedUser = 'reader'

/** How a cluster is asked that asks for a password, and the settings that make it so. */
export interface Secured {
  readonly password: string
  /** The file of the authority that has signed the certificate of the coordinator. */
  readonly authority: string
  /** Settings of every node: nodes know each other by a secret. */
  readonly common: readonly string[]
  /** Settings of the coordinator besides: HTTPS at a port, and users with passwords. */
  readonly coordinator: (port: number) => readonly string[]
}

/** Writes the certificate of 127.0.0.1 and a user with a password as Trino takes them. */
export async function secure(folder: string): Promise<Secured> {
  await mkdir(folder, { recursive: true })
  const password = `hush:${randomBytes(12).toString('hex')}`
  const [certificate, users, authenticator] = [
    'server.pem',
    'users',
    'password-authenticator.properties',
  ].map((name) => join(folder, name)) as [string, string, string]
  const parts = await Promise.all(
    ['loopback.key', 'loopback.crt'].map((name) => readFile(kept(name), 'utf8')),
  )
  await writeFile(certificate, parts.join(''), { mode: 0o600 })
  const salt = randomBytes(16)
  const hash = pbkdf2Sync(password, salt, 1000, 32, 'sha1')
  await writeFile(users, `${securedUser}:1000:${salt.toString('hex')}:${hash.toString('hex')}\n`)
  await writeFile(authenticator, `password-authenticator.name=file\nfile.password-file=${users}\n`)
  return {
    ...{ password, authority: kept('authority.crt') },
    common: [`internal-communication.shared-secret=${randomBytes(32).toString('hex')}`],
    coordinator: (port) => [
      ...['http-server.https.enabled=true', `http-server.https.port=${port}`],
      ...[`http-server.https.keystore.path=${certificate}`, 'http-server.authentication.type=PASSWORD'],
      `password-authenticator.config-files=${authenticator}`,
    ],
  }
}

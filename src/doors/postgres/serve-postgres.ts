import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { inBackground } from '../../base/background.ts'
import { fail, sentenceOf } from '../../base/errors.ts'
import { type CertificateFiles, followCertificate } from '../http/tls.ts'
import { Connections } from './connections.ts'
import { type PostgresDoor, serveConnection } from './serve-connection.ts'
import type { OpenStatements } from './session/sql-access.ts'

/** The address of the door, and what it needs of its process. */
export interface PostgresOptions {
  readonly host: string
  readonly port: number
  readonly open: OpenStatements
  readonly mostConnections: number
  readonly certificate?: CertificateFiles | undefined
  /** Passes a cancel request to the other workers. */
  readonly cancelElsewhere?: PostgresDoor['cancelElsewhere']
  /** Called with the function that cancels a statement of this process. */
  readonly onListen?: (door: {
    readonly port: number
    cancel(key: Parameters<Connections['cancel']>[0]): boolean
  }) => void
}

const SPARE_CONNECTIONS = 100

type FromServer = Omit<PostgresDoor, 'open' | 'connections' | 'secureContext' | 'cancelElsewhere'>

/** Listens for clients of PostgreSQL while the server runs. Errors: `address_in_use`, `malformed_request`. */
export function servePostgres(
  server: FastifyInstance,
  options: PostgresOptions,
  from: FromServer,
): Connections {
  const { host, port, open, mostConnections, certificate, cancelElsewhere = () => {} } = options
  const connections = new Connections(mostConnections)
  let context: SecureContext | undefined
  const door: PostgresDoor = { ...from, open, connections, cancelElsewhere, secureContext: () => context }
  let listener: Server | undefined
  server.addHook('onReady', async () => {
    const opened = createServer((socket) =>
      inBackground('serving a connection of PostgreSQL', () => serveConnection(socket, door)),
    )
    listener = opened
    // Some more than the limit, for cancel requests, and to refuse the others with a sentence.
    opened.maxConnections = mostConnections + SPARE_CONNECTIONS
    if (certificate !== undefined) {
      context = createSecureContext(certificate.first)
      const renewed = {
        setSecureContext(files: CertificateFiles['first']) {
          context = createSecureContext(files)
        },
      }
      followCertificate(Object.assign(opened, renewed), certificate, from.log)
    }
    await listen(opened, host, port)
    const address = opened.address()
    const actual = address !== null && typeof address === 'object' ? address.port : port
    options.onListen?.({ port: actual, cancel: (key) => connections.cancel(key) })
  })
  server.addHook('onClose', async () => {
    connections.closeAll()
    listener?.close()
  })
  return connections
}

async function listen(listener: Server, host: string, port: number): Promise<void> {
  listener.listen(port, host)
  await once(listener, 'listening').catch((cause: NodeJS.ErrnoException) =>
    cause.code === 'EADDRINUSE'
      ? fail('address_in_use', `Port ${port} of ${host} is taken; choose another with --postgres.`, { cause })
      : fail('malformed_request', `Cannot listen on ${host}:${port} for PostgreSQL: ${sentenceOf(cause)}.`, {
          cause,
        }),
  )
}

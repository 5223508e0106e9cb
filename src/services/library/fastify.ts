import type { FastifyInstance } from 'fastify'
import { buildServer } from '../../doors/build-server.ts'
import { openKeys } from '../keys.ts'
import type { Lake } from './api.ts'
import { partsOf } from './lake-parts.ts'
import { serverOptions } from './server-options.ts'

export interface LedgerlakePluginOptions {
  readonly lake: Lake
}

/**
 * Fastify plugin: serves REST, GraphQL and the pages of a lake below the prefix under which it is registered. Hooks of the app run
 * first. The lake stays open when the app closes.
 */
export async function ledgerlake(app: FastifyInstance, { lake }: LedgerlakePluginOptions): Promise<void> {
  const { settings, services, snapshots, onError } = partsOf(lake)
  const { keys, counter, close } = await openKeys(settings, onError)
  const server = buildServer({
    ...serverOptions(settings, services),
    ...{ snapshots, keys, counter },
    outside: { origin: '', basePath: app.prefix },
    log: { access: false, write: (line) => app.log.error(line.trimEnd()) },
  })
  await server.ready()
  // Before the app reads a body: the server reads it.
  app.addHook('onRequest', (request, reply) => {
    reply.hijack()
    server.server.emit('request', request.raw, reply.raw)
  })
  app.all('/', () => {})
  app.all('/*', () => {})
  app.addHook('onClose', async () => {
    await server.close()
    await close()
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { resources } from '../../catalog/resources.ts'
import { writeJson } from '../../derive/json-writer.ts'
import { openApiDocument } from '../../derive/open-api/document.ts'
import type { OpenApiDocument } from '../../derive/open-api/document-types.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import type { Gate } from '../gate/gate.ts'
import { type Habits, specified } from '../habits/habits.ts'
import { varyBy } from '../manners/vary.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'
import { liveExamples } from './live-examples.ts'
import { llmsText } from './llms-text.ts'
import { pagePolicy, referencePage } from './page/reference-page.ts'
import type { Shown } from './shown.ts'
import { styleOf } from './style-of.ts'

export interface DocumentsOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly network: string
  readonly habits?: Habits
  readonly gate: Gate
}

interface Current {
  readonly document: OpenApiDocument
  readonly shown: Shown
}

/**
 * `/openapi.json`, `/docs` and `/llms.txt`: what can be asked here. They need no key; with examples out of the lake for
 * those who may read everything, and examples that show the form for others.
 */
export function addDocuments(server: FastifyInstance, options: DocumentsOptions): void {
  const documentOf = rememberNewest((snapshot) => build(server, options, snapshot))
  const forms = build(server, options, undefined)
  const current = async (request: FastifyRequest): Promise<Current> => {
    const mayReadAll = options.gate.mayReadAll(request)
    const snapshot = options.snapshots.current()
    if (snapshot === undefined) return { document: await forms, shown: 'nothing ingested' as const }
    if (!mayReadAll) return { document: await forms, shown: 'key needed' as const }
    return { document: await documentOf(snapshot), shown: { snapshot: snapshot.id } }
  }
  server.get('/openapi.json', async (request, reply) => {
    const { document, shown } = await current(request)
    if (typeof shown !== 'string') reply.header('Ledgerlake-Snapshot', shown.snapshot)
    return varyBy(reply, 'Authorization').type('application/json; charset=utf-8').send(writeJson(document))
  })
  server.get('/docs', async (request, reply) => {
    const { document, shown } = await current(request)
    return varyBy(reply, 'Authorization')
      .header('Content-Security-Policy', pagePolicy)
      .type('text/html; charset=utf-8')
      .send(referencePage(document, baseOf(request), shown))
  })
  server.get('/llms.txt', async (request, reply) => {
    const { document, shown } = await current(request)
    return varyBy(reply, 'Authorization')
      .type('text/plain; charset=utf-8')
      .send(llmsText(document, baseOf(request), shown))
  })
}

/** The address that the caller knows the server by. */
function baseOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}

async function build(
  server: FastifyInstance,
  { repository, requestTimeoutMs, network, habits = specified }: DocumentsOptions,
  snapshot: Snapshot | undefined,
): Promise<OpenApiDocument> {
  const onError = (error: unknown) => server.log.error(error)
  const source = { repository, habits, requestTimeoutMs, onError }
  const examples = snapshot === undefined ? new Map() : await liveExamples(snapshot, source)
  return openApiDocument(resources, { prefix: `/v1/${network}`, style: styleOf(habits), examples })
}

/** What was made for the newest snapshot; it is made when it is first asked for. */
function rememberNewest<T>(make: (snapshot: Snapshot) => Promise<T>): (snapshot: Snapshot) => Promise<T> {
  let known: { readonly id: string; readonly value: Promise<T> } | undefined
  return (snapshot) => {
    if (known?.id === snapshot.id) return known.value
    const value = make(snapshot)
    known = { id: snapshot.id, value }
    value.catch(() => {
      known = undefined
    })
    return value
  }
}

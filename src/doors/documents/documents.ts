import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Repository } from '../../answers/repository.ts'
import { resources } from '../../catalog/resources.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type Dialect, specifiedDialect } from '../dialect/dialect.ts'
import type { Gate } from '../gate/gate.ts'
import { baseUrlOf, type PublicAddress } from '../http/public-address.ts'
import { queryOf } from '../http/request-parameters.ts'
import { linkedFrom, openApiDocument } from '../open-api/document.ts'
import type { OpenApiDocument, OperationExample } from '../open-api/paths/document-types.ts'
import type { IntegerForm } from '../open-api/schemas/schema.ts'
import { HTML_TYPE, JSON_TYPE, jsonBody, send } from '../reply/representation.ts'
import { varyBy } from '../reply/vary.ts'
import { SHARING_PATH } from '../sharing/sharing-options.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import type { ExampleOrigin } from './documented-operation.ts'
import { liveExamples } from './live-examples.ts'
import { llmsText } from './llms-text.ts'
import { pagePolicy, referencePage } from './reference/reference-page.ts'
import { integersAsked, styleOf } from './style-of.ts'
import { inVersion30 } from './version-3-0.ts'

export interface DocumentsOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly network: string
  readonly dialect?: Dialect
  readonly gate: Gate
  readonly outside: PublicAddress
  readonly keys: Pick<KeyRing, 'isLocked'>
  /** Defined if tables are shared. */
  readonly sharing?: object | undefined
  /** Other address of `/metrics`, if it has one. */
  readonly metricsAddress?: object | null
  readonly areMetricsLocked?: boolean
}

type Examples = ReadonlyMap<string, OperationExample>

interface Current {
  readonly document: OpenApiDocument
  readonly shown: ExampleOrigin
}

/**
 * Serves `/openapi.json`, `/openapi-3.0.json`, `/docs` and `/llms.txt` without a key. Clients that may read
 * everything get examples from the lake, others generated ones.
 */
export function addDocuments(server: FastifyInstance, options: DocumentsOptions): void {
  const {
    repository,
    requestTimeoutMs,
    network,
    dialect = specifiedDialect,
    gate,
    keys,
    snapshots,
    outside,
  } = options
  const source = {
    repository,
    dialect,
    requestTimeoutMs,
    onError: (error: unknown) => server.log.error(error),
  }
  const examplesOf = rememberNewest((snapshot) => liveExamples(snapshot, source))
  const [prefix, ...alsoAt] = [...new Set([...dialect.networks, network])].map((segment) => `/v1/${segment}`)
  const rememberDocument = rememberFew<OpenApiDocument>()
  const documentOf = (shown: string, examples: Examples, integers: IntegerForm) =>
    rememberDocument(`${shown} ${integers} ${keys.isLocked()}`, () => makeDocument(examples, integers))
  const makeDocument = (examples: Examples, integers: IntegerForm) =>
    openApiDocument(resources, {
      ...{
        prefix: prefix ?? '',
        alsoAt,
        asksKey: keys.isLocked(),
        givesMetrics: !options.metricsAddress,
        areMetricsLocked: options.areMetricsLocked === true,
        examples,
        base: outside.origin + outside.basePath,
      },
      style: styleOf(dialect, integers),
    })
  const currentDocument = async (
    request: FastifyRequest,
    integers: IntegerForm = 'number',
  ): Promise<Current> => {
    const canReadAll = gate.canReadAll(request)
    const snapshot = snapshots.current()
    if (snapshot !== undefined && canReadAll) {
      const examples = await examplesOf(snapshot)
      return { document: documentOf(snapshot.id, examples, integers), shown: { snapshot: snapshot.id } }
    }
    const shown = snapshot === undefined ? 'nothing ingested' : 'key needed'
    return { document: documentOf(shown, new Map(), integers), shown }
  }
  const rememberText = rememberFew<string>()
  /** Returns a text that is cached for all host names of the server. */
  function textFor(request: FastifyRequest, shown: ExampleOrigin, variant: string, make: () => string) {
    const name = `${typeof shown === 'string' ? shown : shown.snapshot} ${keys.isLocked()} ${variant}`
    const base = baseUrlOf(outside, request)
    return rememberText(name, make).replaceAll(ANY_BASE, () => base)
  }
  const versions = {
    '/openapi.json': (document: OpenApiDocument) => document,
    '/openapi-3.0.json': inVersion30,
  }
  for (const [path, inVersion] of Object.entries(versions))
    server.get(path, async (request, reply) => {
      const integers = integersAsked(queryOf(request), dialect.queries)
      const { document, shown } = await currentDocument(request, integers)
      if (typeof shown !== 'string') reply.header('Ledgerlake-Snapshot', shown.snapshot)
      const text = textFor(request, shown, `${path} ${integers}`, () => {
        return jsonBody(inVersion(linkedFrom(ANY_BASE, document)), integers === 'string').body
      })
      return send(varyBy(reply, 'Authorization'), { type: JSON_TYPE, body: text })
    })
  server.get('/docs', async (request, reply) => {
    const { document, shown } = await currentDocument(request)
    varyBy(reply, 'Authorization').header('Content-Security-Policy', pagePolicy)
    const bases = { url: ANY_BASE, path: outside.basePath }
    const body = textFor(request, shown, '/docs', () => referencePage(document, bases, shown))
    return send(reply, { type: HTML_TYPE, body })
  })
  server.get('/llms.txt', async (request, reply) => {
    const { document, shown } = await currentDocument(request)
    const text = textFor(request, shown, '/llms.txt', () =>
      llmsText(document, ANY_BASE, shown, options.sharing && SHARING_PATH),
    )
    return send(varyBy(reply, 'Authorization'), { type: 'text/plain; charset=utf-8', body: text })
  })
}

/** Placeholder of the server's address. Shell commands quote it, like some real addresses. */
const ANY_BASE = '{address of the server}'

/** A document has some hundred kilobytes. */
const MOST_DOCUMENTS = 8

/** Caches the most recently used documents by name: building one takes tens of milliseconds. */
function rememberFew<T>(): (name: string, make: () => T) => T {
  const values = new Map<string, T>()
  return (name, make) => {
    const value = values.get(name) ?? make()
    values.delete(name)
    values.set(name, value)
    const [oldest] = values.keys()
    if (values.size > MOST_DOCUMENTS && oldest !== undefined) values.delete(oldest)
    return value
  }
}

/** Caches the value of the newest snapshot; a failure is not cached. */
function rememberNewest<T>(make: (snapshot: Snapshot) => Promise<T>): (snapshot: Snapshot) => Promise<T> {
  let cached: { readonly id: string; readonly value: Promise<T> } | undefined
  return (snapshot) => {
    if (cached?.id === snapshot.id) return cached.value
    const value = make(snapshot)
    cached = { id: snapshot.id, value }
    value.catch(() => {
      cached = undefined
    })
    return value
  }
}

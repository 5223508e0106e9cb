import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Repository } from '../../answers/repository.ts'
import type { RawQuery } from '../../base/parameter-text.ts'
import { resources } from '../../catalog/resources.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { KeyRing } from '../../operate/keys/key-ring.ts'
import { type Dialect, specifiedDialect } from '../dialect/dialect.ts'
import type { Gate } from '../gate/gate.ts'
import { baseUrlOf, type PublicAddress } from '../http/public-address.ts'
import { linkedFrom, openApiDocument } from '../open-api/document.ts'
import type { OpenApiDocument, OperationExample } from '../open-api/paths/document-types.ts'
import type { IntegerForm } from '../open-api/schemas/integer-forms.ts'
import { HTML_TYPE, JSON_TYPE, json, send } from '../reply/representation.ts'
import { varyBy } from '../reply/vary.ts'
import { SHARING_PATH } from '../sharing/sharing-options.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import { liveExamples } from './live-examples.ts'
import { llmsText } from './llms-text.ts'
import { pagePolicy, referencePage } from './page/reference-page.ts'
import type { Shown } from './placed.ts'
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
  /** Whether tables are shared. */
  readonly sharing?: object | undefined
  /** Where `/metrics` is served instead of here. */
  readonly metricsAddress?: object | null
  /** Whether `/metrics` needs a key. */
  readonly areMetricsLocked?: boolean
}

type Examples = ReadonlyMap<string, OperationExample>

interface Current {
  readonly document: OpenApiDocument
  readonly shown: Shown
}

/**
 * `/openapi.json`, the same in OpenAPI 3.0, `/docs` and `/llms.txt`, which need no key. Callers who may read everything see examples from the lake,
 * others made-up ones that show the form.
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
  const made = rememberFew<OpenApiDocument>()
  const documentOf = (shown: string, examples: Examples, integers: IntegerForm) =>
    made(`${shown} ${integers} ${keys.isLocked()}`, () => makeDocument(examples, integers))
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
  const current = async (request: FastifyRequest, integers: IntegerForm = 'number'): Promise<Current> => {
    const canReadAll = gate.canReadAll(request)
    const snapshot = snapshots.current()
    if (snapshot !== undefined && canReadAll) {
      const examples = await examplesOf(snapshot)
      return { document: documentOf(snapshot.id, examples, integers), shown: { snapshot: snapshot.id } }
    }
    const shown = snapshot === undefined ? 'nothing ingested' : 'key needed'
    return { document: documentOf(shown, new Map(), integers), shown }
  }
  const texts = rememberFew<string>()
  /** A text that is made once for all hosts by which callers know the server. */
  function textFor(request: FastifyRequest, shown: Shown, what: string, make: () => string) {
    const name = `${typeof shown === 'string' ? shown : shown.snapshot} ${keys.isLocked()} ${what}`
    const base = baseUrlOf(outside, request)
    return texts(name, make).replaceAll(ANY_BASE, () => base)
  }
  const versions = {
    '/openapi.json': (document: OpenApiDocument) => document,
    '/openapi-3.0.json': inVersion30,
  }
  for (const [path, inVersion] of Object.entries(versions))
    server.get(path, async (request, reply) => {
      const integers = integersAsked(request.query as RawQuery, dialect.queries)
      const { document, shown } = await current(request, integers)
      if (typeof shown !== 'string') reply.header('Ledgerlake-Snapshot', shown.snapshot)
      const text = textFor(request, shown, `${path} ${integers}`, () => {
        return json(inVersion(linkedFrom(ANY_BASE, document)), integers === 'string').body
      })
      return send(varyBy(reply, 'Authorization'), { type: JSON_TYPE, body: text })
    })
  server.get('/docs', async (request, reply) => {
    const { document, shown } = await current(request)
    varyBy(reply, 'Authorization').header('Content-Security-Policy', pagePolicy)
    const bases = { whole: ANY_BASE, path: outside.basePath }
    const body = textFor(request, shown, '/docs', () => referencePage(document, bases, shown))
    return send(reply, { type: HTML_TYPE, body })
  })
  server.get('/llms.txt', async (request, reply) => {
    const { document, shown } = await current(request)
    const text = textFor(request, shown, '/llms.txt', () =>
      llmsText(document, ANY_BASE, shown, options.sharing && SHARING_PATH),
    )
    return send(varyBy(reply, 'Authorization'), { type: 'text/plain; charset=utf-8', body: text })
  })
}

/** Stands for the address of the server in a text. Commands quote it, as they have to quote some addresses. */
const ANY_BASE = '{address of the server}'

/** Documents are some hundred kilobytes long. */
const MOST_DOCUMENTS = 8

/** Newest documents by name: making one takes tens of milliseconds. */
function rememberFew<T>(): (name: string, make: () => T) => T {
  const known = new Map<string, T>()
  return (name, make) => {
    const value = known.get(name) ?? make()
    known.delete(name)
    known.set(name, value)
    const [oldest] = known.keys()
    if (known.size > MOST_DOCUMENTS && oldest !== undefined) known.delete(oldest)
    return value
  }
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

import { buildTestServer, type TestServer } from './build-test-server.ts'
import { contentOf, type Documented, type DocumentedOperation } from './documented.ts'
import { readExact } from './exact-json.ts'
import { readRounded, type SchemaCheck, schemaCheckOf } from './schema-check.ts'
import { smallLake } from './small-lake.ts'

/** Operations that the specification does not have. */
export const added: readonly (readonly [operation: string, path: string])[] = [
  ['get-iot-reward-series', '/v1/net/l2/iot-reward-shares/totals/series'],
  ['get-l1-reward-series', '/v1/net/l1/rewards/series'],
  ['get-mobile-reward-series', '/v1/net/l2/mobile-reward-shares/totals/series'],
]

/** Copied by hand from the specification, "Endpoints". */
export const specified = [
  ['get-makers', '/v1/net/l2/makers'],
  ['get-maker', '/v1/net/l2/makers/{id}'],
  ['get-hotspots', '/v1/net/l2/hotspots'],
  ['get-hotspot', '/v1/net/l2/hotspots/{id}'],
  ['get-iot-rewards', '/v1/net/l2/iot-reward-shares'],
  ['get-iot-reward-totals', '/v1/net/l2/iot-reward-shares/totals'],
  ['get-mobile-rewards', '/v1/net/l2/mobile-reward-shares'],
  ['get-mobile-reward-totals', '/v1/net/l2/mobile-reward-shares/totals'],
  ['get-l1-accounts', '/v1/net/l1/accounts'],
  ['get-l1-account', '/v1/net/l1/accounts/{id}'],
  ['get-l1-transactions', '/v1/net/l1/transactions'],
  ['get-l1-transaction', '/v1/net/l1/transactions/{id}'],
  ['get-l1-transaction-actors', '/v1/net/l1/transaction-actors'],
  ['get-l1-dc-burns', '/v1/net/l1/dc-burns'],
  ['get-l1-gateways', '/v1/net/l1/gateways'],
  ['get-l1-gateway', '/v1/net/l1/gateways/{id}'],
  ['get-l1-packets', '/v1/net/l1/packets'],
  ['get-l1-rewards', '/v1/net/l1/rewards'],
] as const

export const lists: readonly string[] = specified
  .filter(([id]) => id.endsWith('s') && !id.endsWith('totals'))
  .map(([, path]) => path)

/** A page of a list as a validator reads it. */
export interface Page {
  readonly meta: { readonly next_page: number | null }
  readonly records?: readonly object[]
  readonly objects?: readonly object[]
}

export const recordsOf = ({ records, objects }: Page) => records ?? objects ?? []

/** A server of the small network, and what it says of itself. */
export interface DocumentedServer {
  readonly folder: string
  readonly server: TestServer
  /** `/openapi.json` as it came. */
  readonly text: string
  /** The same for validators. */
  readonly document: Documented
  /** The same with every digit. */
  readonly exact: Documented
  readonly check: SchemaCheck
  get(url: string): Promise<{ readonly statusCode: number; readonly body: string }>
  /** A page, of all periods where a range is needed. */
  pageOf(path: string, query: string): Promise<Page>
  /** What is wrong with a reply of a status, by its documented schema. */
  faultsOf(value: unknown, path: string, status: string, method?: string): readonly string[]
}

export function operationOf(within: Documented, path: string, method = 'get'): DocumentedOperation {
  const found = within.paths[path]?.[method]
  if (found === undefined) throw new Error(`${method} ${path} is not documented`)
  return found
}

/** Ends with the file, when it is opened in `beforeAll`. */
export async function openDocumentedServer(): Promise<DocumentedServer> {
  const folder = await smallLake()
  const server = await buildTestServer(folder)
  const get = async (url: string) => await server.server.inject({ method: 'GET', url })
  const text = (await get('/openapi.json')).body
  const document = readRounded<Documented>(text)
  const check = schemaCheckOf(document)
  return {
    folder,
    server,
    text,
    document,
    exact: readExact<Documented>(text),
    check,
    get,
    async pageOf(path, query) {
      const range = path.includes('reward-shares') ? 'from=2000-01-01&to=2100-01-01&' : ''
      return readRounded<Page>((await get(`${path}?${range}${query}`)).body)
    },
    faultsOf(value, path, status, method) {
      const content = contentOf(document, operationOf(document, path, method), status)
      if (content === undefined) throw new Error(`${path} has no ${status} in JSON`)
      return check.faultsOf(content.schema, value)
    },
  }
}

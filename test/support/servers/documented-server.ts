import { readExact } from '../exact-json.ts'
import { smallLake } from '../lakes/small-lake.ts'
import { readRounded, type SchemaCheck, schemaCheckOf } from '../schema-check.ts'
import { filledLists, specifiedLists } from '../specified.ts'
import { buildTestServer, type TestServer } from './build-test-server.ts'
import { contentOf, type Documented, type DocumentedOperation } from './documented.ts'

type Operation = readonly [operation: string, path: string]

const operationsOf = (path: string, operation: string | undefined): readonly Operation[] =>
  operation === undefined ? [] : [[operation, `/v1/net${path}`]]

/** Operations that the specification does not have. */
export const added = [
  ...specifiedLists.flatMap(({ path, series }) => operationsOf(`${path}/totals/series`, series)),
  ...operationsOf('/l1/rewards/series', 'get-l1-reward-series'),
]

const operationsIn = (lists: typeof specifiedLists) =>
  lists.flatMap(({ path, list, find, totals }) => [
    ...operationsOf(path, list),
    ...operationsOf(`${path}/{id}`, find),
    ...operationsOf(`${path}/totals`, totals),
  ])

/** Those of the specification, "Endpoints". */
export const specified = operationsIn(specifiedLists)

/** Those that the small network has records for. */
export const answered = operationsIn(filledLists)

export const lists = specifiedLists.map(({ path }) => `/v1/net${path}`)

/** Lists of which the small network has records. */
export const filled = filledLists.map(({ path }) => `/v1/net${path}`)

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

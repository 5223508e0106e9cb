/** An OpenAPI document as the tests read it, without the types of the code. */
export interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly responses: Readonly<Record<string, DocumentedResponse>>
  }
}

export interface DocumentedOperation {
  readonly operationId?: string
  readonly parameters?: readonly DocumentedParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, DocumentedContent>> }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

export interface DocumentedParameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly allowEmptyValue?: boolean
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: unknown
}

interface DocumentedResponse {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Readonly<Record<string, DocumentedContent>>
}

interface DocumentedContent {
  readonly schema: object
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** A response of an operation, also one among the components. */
export function responseIn(
  { components }: Documented,
  { responses }: DocumentedOperation,
  status: string,
): DocumentedResponse | undefined {
  const response = responses[status]
  return response?.$ref === undefined ? response : components.responses[response.$ref.split('/').at(-1) ?? '']
}

/** The JSON content of a response. */
export function contentOf(
  document: Documented,
  operation: DocumentedOperation,
  status: string,
): DocumentedContent | undefined {
  return responseIn(document, operation, status)?.content?.['application/json']
}

/** Every operation with its method and path. */
export function operationsIn({ paths }: Documented) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

/** The address that an operation is asked at with the examples of its parameters. */
export function exampleAddress(path: string, { parameters = [] }: DocumentedOperation): string {
  const given = parameters.filter(({ example }) => example !== undefined)
  const ofPath = given.filter((parameter) => parameter.in === 'path')
  const address = ofPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  )
  const query = given
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  const whole = query.length === 0 ? address : `${address}?${query.join('&')}`
  return path.includes('/statement') ? ofOneHotspot(whole) : whole
}

/** A statement of the year of the owner in the example, who has 59 hotspots, takes seconds: two days of an owner of one. */
function ofOneHotspot(address: string): string {
  return address
    .replace(/year=\d+/, 'from=2025-01-30&to=2025-01-31')
    .replace(/owner=\w+/, 'owner=3pH8XfRGgiEdeAPDy66g7fWKNrwmS43SBcXDsWmXvjCk')
}

/** The address of every route of a server as OpenAPI writes it, from the tree that Fastify prints. */
export function routesIn(printed: string): readonly string[] {
  const parents: string[] = []
  return printed.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] = /^([│\s]*)[├└]── (\S*)(?: \((.*)\))?$/u.exec(line) ?? []
    if (part === '') return []
    const depth = indent.length / 4
    const path = (parents[depth - 1] ?? '') + part
    parents.splice(depth, parents.length, path)
    const asked = (methods ?? '').split(', ').filter((method) => ['GET', 'POST'].includes(method))
    return asked.map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  })
}

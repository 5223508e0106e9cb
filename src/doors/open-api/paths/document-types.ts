import type { ServiceError } from '../../../base/errors.ts'
import type { Json, JsonObject } from '../../../base/values/json-writer.ts'
import type { RestFace } from '../../../catalog/resource.ts'
import type { QueryDialect } from '../../contract/query-schema.ts'
import type { DocumentForms } from '../schemas/reply-forms.ts'
import type { Schema } from '../schemas/schema.ts'

/** In what the described server may differ from others that answer the same. */
export interface DocumentStyle {
  readonly forms: DocumentForms
  readonly queries: QueryDialect
  /** Name of the list in a page. */
  envelopeOf(rest: RestFace): string
  errorOf(error: ServiceError): { readonly status: number; readonly body: JsonObject }
}

/** A request that finds something, and what it is answered. */
export interface OperationExample {
  /** Values by the names of the parameters; `id` is the one of the path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly reply: JsonObject
}

export interface DocumentOptions {
  /** What stands before the paths of the catalog, such as `/v1/net`. */
  readonly prefix: string
  /** What may stand there instead. */
  readonly alsoAt?: readonly string[]
  readonly style: DocumentStyle
  /** Whether the server asks for keys; without them everything is open. */
  readonly asksKey?: boolean
  /** Whether the server answers /metrics; by default it does. */
  readonly givesMetrics?: boolean
  /** Whether they need a key where the server asks for keys. */
  readonly areMetricsLocked?: boolean
  /** The address of the server, or its path; by default it is that of the document. */
  readonly base?: string
  /** By the id of the operation; the others show the form of a reply only. */
  readonly examples?: ReadonlyMap<string, OperationExample>
}

/** The parts of an OpenAPI document, as far as this one has them. */
export type Parameter = {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly description: string
  readonly required?: true
  readonly allowEmptyValue?: true
  readonly schema: Schema
  readonly example?: Json
}

/** A parameter without its name. */
export type Described = Omit<Parameter, 'name' | 'in'>

export type Content = {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: Json }>>
}

export type Response = {
  readonly description: string
  readonly headers?: Readonly<Record<string, Schema>>
  readonly content?: Readonly<Record<string, Content>>
}

export type OperationObject = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>
}

export type Method = 'get' | 'post'

export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: JsonObject
  readonly externalDocs: JsonObject
  readonly servers: readonly JsonObject[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly [M in Method]?: OperationObject }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly headers: Readonly<Record<string, JsonObject>>
    readonly securitySchemes: Readonly<Record<string, JsonObject>>
  }
}

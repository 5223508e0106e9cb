import type { ServiceError } from '../../../base/errors.ts'
import type { Json, JsonObject } from '../../../base/values/json-writer.ts'
import type { RestFace } from '../../../catalog/resource.ts'
import type { QueryDialect } from '../../contract/query-schema.ts'
import type { DocumentForms } from '../schemas/reply-forms.ts'
import type { Schema } from '../schemas/schema.ts'

/** Differences between dialects in documents. */
export interface DocumentStyle {
  readonly forms: DocumentForms
  readonly queries: QueryDialect
  /** Name of the list member of a page. */
  envelopeOf(rest: RestFace): string
  errorOf(error: ServiceError): { readonly status: number; readonly body: JsonObject }
}

/** An example of request and reply. */
export interface OperationExample {
  /** Values by parameter name; `id` is the path parameter. */
  readonly parameters: Readonly<Record<string, string>>
  readonly reply: JsonObject
}

export interface DocumentOptions {
  /** Prefix of paths, such as `/v1/net`. */
  readonly prefix: string
  /** Alternative prefixes. */
  readonly alsoAt?: readonly string[]
  readonly style: DocumentStyle
  /** True if the server requires keys. */
  readonly asksKey?: boolean
  /** True if the server serves /metrics; true by default. */
  readonly givesMetrics?: boolean
  /** True if /metrics needs a key. */
  readonly areMetricsLocked?: boolean
  /** Address or path of the server; by default that of the document. */
  readonly base?: string
  /** Examples by operation id; other operations show a generated reply. */
  readonly examples?: ReadonlyMap<string, OperationExample>
}

/** A parameter of OpenAPI. */
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

export const methodNames = ['get', 'post'] as const
export type Method = (typeof methodNames)[number]

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

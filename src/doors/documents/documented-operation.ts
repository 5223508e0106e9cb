import {
  type Method,
  methodNames,
  type OpenApiDocument,
  type OperationObject,
} from '../open-api/paths/document-types.ts'

/** Source of the examples: a snapshot, or the reason why there are only generated ones. */
export type ExampleOrigin = { readonly snapshot: string } | 'nothing ingested' | 'key needed'

/** Public address of the server, and its path, without a slash at the end. */
export interface Bases {
  readonly url: string
  readonly path: string
}

export interface DocumentedOperation {
  readonly path: string
  readonly method: Method
  readonly operation: OperationObject
}

export function operationsIn({ paths }: OpenApiDocument): readonly DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, operation]) =>
      methodNames.filter((method) => method === name).map((method) => ({ path, method, operation })),
    ),
  )
}

export function anchorOf({ operation }: DocumentedOperation): string {
  return operation.operationId
}

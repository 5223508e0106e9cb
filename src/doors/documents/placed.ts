import type { Method, OpenApiDocument, OperationObject } from '../open-api/paths/document-types.ts'

/** Where the examples of a document come from: a snapshot, or only their form is shown, and why. */
export type Shown = { readonly snapshot: string } | 'nothing ingested' | 'key needed'

/** The address of the server as its callers know it, and the path alone, for links; without a slash at the end. */
export interface Bases {
  readonly whole: string
  readonly path: string
}

/** An operation of the document, with its path and method. */
export interface Placed {
  readonly path: string
  readonly method: Method
  readonly operation: OperationObject
}

export function placedIn({ paths }: OpenApiDocument): readonly Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]: [string, OperationObject]) => ({
      path,
      method: method as Method,
      operation,
    })),
  )
}

/** The name by which the page links to an operation. */
export function anchorOf({ operation }: Placed): string {
  return operation.operationId
}

import type { Method, OpenApiDocument, OperationObject } from '../../derive/open-api/document-types.ts'

/** One operation, where it stands in the document. */
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

import type { Resource } from '../../../catalog/resource.ts'
import type { ViewDialect } from './view-dialect.ts'

interface Created {
  readonly name: string
  readonly doc: string
  readonly columns: readonly { readonly name: string; readonly doc: string }[]
  readonly select: string
}

/** Creates views in an engine that reads Delta tables itself. */
export interface ScriptDialect {
  readonly views: ViewDialect
  /** FROM item of the newest version of a table. */
  readonly delta: (resource: Resource) => string
  /** Expression of a stored column, corrected if the engine rounds it. */
  readonly stored: (resource: Resource, column: string) => string
  /** Qualified name of a view, or of its schema. */
  readonly named: (view?: string) => string
  readonly createSchema: () => string
  /** Statements that create or replace a view, with comments. */
  readonly createView: (view: Created) => readonly string[]
}

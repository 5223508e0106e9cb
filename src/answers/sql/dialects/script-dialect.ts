import type { Resource } from '../../../catalog/resource.ts'
import type { ViewDialect } from './view-dialect.ts'

/** A view to create, with the text of its SELECT. */
interface Created {
  readonly name: string
  readonly doc: string
  readonly columns: readonly { readonly name: string; readonly doc: string }[]
  readonly select: string
}

/** How a script makes views in an engine that reads the Delta tables by itself. */
export interface ScriptDialect {
  readonly views: ViewDialect
  /** FROM item of the newest version of a table. */
  readonly delta: (resource: Resource) => string
  /** A column that the table stores, as it is or exact where the engine rounds it. */
  readonly stored: (resource: Resource, column: string) => string
  /** A view by its name; undefined for what the views are in. */
  readonly named: (view?: string) => string
  /** Creates what the views are in. */
  readonly createSchema: () => string
  /** Statements that create a view, or replace it, with comments. */
  readonly createView: (view: Created) => readonly string[]
}

import { fail } from '../../base/errors.ts'
import { sql } from '../../engine/duckdb/sql.ts'

/** Blanks and comments, then EXPLAIN. */
const EXPLAIN = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*explain\b/i

/** Returns the statement that EXPLAIN precedes, with blanks in its place; undefined without EXPLAIN. Errors: `malformed_request`. */
export function explainedStatement(text: string): string | undefined {
  const [head] = EXPLAIN.exec(text) ?? []
  if (head === undefined) return undefined
  const rest = text.slice(head.length)
  if (/^\s*(?:analyze|analyse|\()/i.test(rest))
    fail('malformed_request', 'EXPLAIN has no options here; use EXPLAIN SELECT.')
  return head.replace(/\S/g, ' ') + rest
}

/** The SELECT of a plan, a row for each of its lines. */
export function planSelect(plan: string): string {
  const lines = plan.trimEnd().split('\n')
  return `SELECT unnest([${sql`${lines.map((line) => sql`${line}`)}`.text}]) AS plan`
}

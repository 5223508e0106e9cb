import type { Resource } from '../../catalog/resource.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { operationTool, type ToolText } from './operation-tool.ts'
import { searchTool } from './search-tool.ts'
import { sqlTool } from './sql-tool.ts'
import { statusTool } from './status-tool.ts'
import type { Tool } from './tool.ts'

const operationTools: readonly ToolText[] = [
  {
    name: 'list',
    kind: 'list',
    title: 'Records of a table',
    meaning:
      'Records that match all filters given. A question about one hotspot or account is a filter; sums are asked of totals and series.',
  },
  {
    name: 'lookup',
    kind: 'find',
    title: 'One record',
    meaning: 'The record of an id, or of one of the keys that it names.',
  },
  {
    name: 'totals',
    kind: 'totals',
    title: 'Sums over a range',
    meaning:
      'Exact sums over all that matches. A total sums one column as specified; series has all pay as earned.',
  },
  {
    name: 'series',
    kind: 'series',
    title: 'Sums by day, week or month',
    meaning:
      'Exact sums by day, week, month or over the whole range, in tokens and USD, also by hotspot, owner or maker: who earned most, and when.',
  },
]

/** Creates all tools in display order; `restPrefix` is that of REST paths. */
export function allTools(
  resources: readonly Resource[],
  restDialect: Dialect,
  restPrefix: string,
): readonly Tool[] {
  // Tools have no files and no hosted sums, and always refuse unknown names.
  const queries = {
    ...restDialect.queries,
    givesFiles: false,
    givesHostedSums: false,
    takesDays: true,
    refusesUnknown: true,
  }
  const dialect = { ...restDialect, queries }
  return [
    statusTool(dialect),
    searchTool(resources, restPrefix),
    ...operationTools.map((text) => operationTool(text, resources, dialect)),
    sqlTool(),
  ]
}

import type { Resource } from '../../catalog/resource.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { operationTool, type ToolText } from './operation-tool.ts'
import { searchTool } from './search-tool.ts'
import { sqlTool } from './sql-tool.ts'
import { statusTool } from './status-tool.ts'
import type { Tool } from './tool.ts'

const ofOperations: readonly ToolText[] = [
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

/** Every tool, in the order in which they are shown; `restPrefix` stands before the paths of REST that they name. */
export function allTools(
  resources: readonly Resource[],
  given: Dialect,
  restPrefix: string,
): readonly Tool[] {
  // Files and sums of the hosted service are no tools, and a name that is not known is always a mistake.
  const queries = {
    ...given.queries,
    givesFiles: false,
    givesHostedSums: false,
    takesDays: true,
    refusesUnknown: true,
  }
  const dialect = { ...given, queries }
  return [
    statusTool(dialect),
    searchTool(resources, restPrefix),
    ...ofOperations.map((text) => operationTool(text, resources, dialect)),
    sqlTool(),
  ]
}

import { refuse } from '../../base/parameter-text.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import type { Resource } from '../../catalog/resource.ts'
import { operationsOf, type RestOperation } from '../contract/operations.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { answerOperation } from './answer-operation.ts'
import { earningsTool } from './earnings-tool.ts'
import { argumentsOf, mergedArguments, parametersOfTool, rowArguments } from './schemas.ts'
import { searchTool } from './search-tool.ts'
import { sqlTool } from './sql-tool.ts'
import { statusTool } from './status-tool.ts'
import type { Tool } from './tool.ts'

/** Name and documentation of a tool. */
interface ToolText {
  readonly name: string
  readonly kind: 'list' | 'find' | 'totals' | 'series'
  readonly title: string
  readonly meaning: string
}

/** Creates the tool of one kind of operation, for every resource that has it. */
function operationTool(
  { name, kind, title, meaning }: ToolText,
  resources: readonly Resource[],
  dialect: Dialect,
): Tool {
  const operations = operationsOf(resources).filter((operation) => operation.kind === kind)
  const answers = new Map(
    operations.map((operation) => [operation.resource.name, answerOperation(name, operation, dialect)]),
  )
  const parameters = new Map(
    operations.map((operation) => [operation.resource.name, parametersOfTool(operation, dialect)]),
  )
  const names = [...answers.keys()]
  return {
    name,
    title,
    description: `${meaning} Resources: ${operations.map(summaryLine).join(' ')}`,
    inputSchema: argumentsOf(
      {
        resource: { type: 'string', enum: names, description: 'The table to query.' },
        ...mergedArguments(parameters),
        ...((kind === 'list' || kind === 'series') && rowArguments),
      },
      kind === 'find' ? ['resource', 'id'] : ['resource'],
    ),
    async answer({ raw: { resource = '', ...raw }, faults }, context) {
      const answer = answers.get(String(resource))
      if (answer !== undefined) return await answer({ raw, faults }, context)
      refuse([...faults, { param: 'resource', message: `resource ${outsideOf(names, [String(resource)])}` }])
      throw new Error('a fault was not refused')
    },
  }
}

const summaryLine = ({ resource, summary }: RestOperation) => `${resource.name}: ${summary}.`

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
    earningsTool,
    sqlTool(),
  ]
}

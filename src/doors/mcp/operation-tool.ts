import { refuse } from '../../base/parameter-text.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { RestOperation } from '../contract/operations.ts'
import { operationsOf } from '../contract/operations.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { answerOperation } from './answer-operation.ts'
import { argumentsOf, mergedArguments, parametersOfTool, rowArguments } from './schemas.ts'
import type { Tool } from './tool.ts'

/** Name and documentation of a tool. */
export interface ToolText {
  readonly name: string
  readonly kind: 'list' | 'find' | 'totals' | 'series'
  readonly title: string
  readonly meaning: string
}

/** Creates the tool of one kind of operation, for every resource that has it. */
export function operationTool(
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
        resource: { type: 'string', enum: names, description: 'What is asked for.' },
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

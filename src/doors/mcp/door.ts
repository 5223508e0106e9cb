import type { ServiceError } from '../../base/errors.ts'
import { writeJson } from '../../base/values/json-writer.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import { withoutKeys } from '../../keys/api-key.ts'
import { specifiedDialect } from '../dialect/dialect.ts'
import { type FailedRequest, toServiceError } from '../reply/error-reply.ts'
import { readArguments } from './arguments.ts'
import type { McpService } from './protocol.ts'
import type { Tool, ToolClient, ToolContext } from './tool.ts'

/** Dependencies of the tools of one client. */
export interface DoorOptions extends Omit<ToolContext, 'client'> {
  readonly tools: readonly Tool[]
  readonly sql: ToolClient['sql']
  /** Returns the client of one call; `cancelled` aborts the call. */
  clientOf(cancelled: AbortSignal): ToolClient
  /** Logs unexpected errors. */
  readonly errorLog: FailedRequest
  /** Called after a tool succeeded. */
  onAnswer?(): void
  /** Seconds to wait before a retry, if the call was refused temporarily. */
  retryAfter?(): number | undefined
}

/** Creates the tools of one client. A failed call returns the error of REST as text. */
export function createDoor(options: DoorOptions): McpService {
  const { tools, repository, snapshots, errorLog } = options
  const offered = tools.filter((tool) => tool.isFor?.(options) ?? true)

  return {
    tools: offered,
    async call(name, values, cancelled) {
      const tool = tools.find((one) => one.name === name)
      const names = offered.map((one) => one.name)
      if (tool === undefined) return { refused: `The tool ${outsideOf(names, [name])}.` }
      try {
        const context = { repository, snapshots, client: options.clientOf(cancelled) }
        const text = await tool.answer(readArguments(values), context)
        options.onAnswer?.()
        return { text, isError: false }
      } catch (error) {
        return { text: errorText(toServiceError(error as ServiceError, errorLog)), isError: true }
      }
    },
  }

  function errorText(error: ServiceError): string {
    const seconds = options.retryAfter?.()
    const { body } = specifiedDialect.errorOf(error)
    return withoutKeys(writeJson({ ...body, ...(seconds !== undefined && { retry_after_seconds: seconds }) }))
  }
}

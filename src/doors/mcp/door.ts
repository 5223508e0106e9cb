import type { ServiceError } from '../../base/errors.ts'
import { writeJson } from '../../base/values/json-writer.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import { withoutKeys } from '../../operate/keys/api-key.ts'
import { specifiedDialect } from '../dialect/dialect.ts'
import { type Told, toServiceError } from '../reply/error-reply.ts'
import { readArguments } from './arguments.ts'
import type { Door } from './protocol.ts'
import type { Caller, Tool, ToolContext } from './tool.ts'

/** What a door of tools needs of one caller. */
export interface DoorOptions extends Omit<ToolContext, 'caller'> {
  readonly tools: readonly Tool[]
  readonly sql: Caller['sql']
  /** The caller of one call, which `cancelled` ends. */
  callerOf(cancelled: AbortSignal): Caller
  /** Where an error goes that nobody foresaw. */
  readonly told: Told
  /** Called when a tool has answered, and not when it refuses. */
  onAnswer?(): void
  /** Seconds after which to ask again, once a call was refused for the time being. */
  retryAfter?(): number | undefined
}

/** The tools of one caller, each call with its reply or the sentence that REST would have. */
export function doorOf(options: DoorOptions): Door {
  const { tools, repository, snapshots, told } = options
  const offered = tools.filter((tool) => tool.isFor?.(options) ?? true)

  return {
    tools: offered,
    async call(name, given, cancelled) {
      const tool = tools.find((one) => one.name === name)
      const names = offered.map((one) => one.name)
      if (tool === undefined) return { refused: `The tool ${outsideOf(names, [name])}.` }
      try {
        const context = { repository, snapshots, caller: options.callerOf(cancelled) }
        const text = await tool.answer(readArguments(given), context)
        options.onAnswer?.()
        return { text, isError: false }
      } catch (error) {
        return { text: textOf(toServiceError(error as ServiceError, told)), isError: true }
      }
    },
  }

  function textOf(error: ServiceError): string {
    const seconds = options.retryAfter?.()
    const { body } = specifiedDialect.errorOf(error)
    return withoutKeys(writeJson({ ...body, ...(seconds !== undefined && { retry_after_seconds: seconds }) }))
  }
}

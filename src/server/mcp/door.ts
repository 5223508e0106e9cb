import { outsideOf } from '../../derive/filter-readers.ts'
import { writeJson } from '../../derive/json-writer.ts'
import { fail, type ServiceError } from '../../errors.ts'
import { withoutKeys } from '../../keys/api-key.ts'
import { specified } from '../dialect/dialect.ts'
import { type Told, toServiceError } from '../error-reply.ts'
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
  /** Seconds after which to ask again, once a call was refused for the time being. */
  retryAfter?(): number | undefined
}

/** The tools of one caller, each call with its reply or the sentence that REST would have. */
export function doorOf(options: DoorOptions): Door {
  const { tools, repository, snapshots, told } = options
  const offered = tools.filter((tool) => tool.isFor?.(options) ?? true)

  function whyNoTool(name: string): string | undefined {
    if (tools.some((tool) => tool.name === name)) return undefined
    const names = offered.map((tool) => tool.name)
    return `The tool ${outsideOf(names, [name])}.`
  }

  async function answer(name: string, given: Readonly<Record<string, unknown>>, cancelled: AbortSignal) {
    const caller = options.callerOf(cancelled)
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) return fail('malformed_request', whyNoTool(name) ?? '')
    return await tool.answer(readArguments(given), { repository, snapshots, caller })
  }

  return {
    tools: offered,
    whyNoTool,
    async call(name, given, cancelled) {
      try {
        return { text: await answer(name, given, cancelled), isError: false }
      } catch (error) {
        return { text: textOf(toServiceError(error as ServiceError, told)), isError: true }
      }
    },
  }

  function textOf(error: ServiceError): string {
    const seconds = options.retryAfter?.()
    const { body } = specified.errorOf(error)
    return withoutKeys(writeJson({ ...body, ...(seconds !== undefined && { retry_after_seconds: seconds }) }))
  }
}

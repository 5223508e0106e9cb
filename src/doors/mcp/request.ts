import { parameter, refuse } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { checkOf } from '../../catalog/query/filter-values.ts'
import type { RestOperation } from '../contract/operations.ts'
import { type CheckedQuery, queryCheck } from '../contract/query-schema.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { rowsAsked } from './arguments.ts'
import { cursorGiven, digestOfRequest, type Place } from './cursor.ts'
import { parametersOfTool } from './schemas.ts'
import type { ToolArguments } from './tool.ts'

/** What a call asks of an operation, checked. */
export interface Asked {
  readonly query: CheckedQuery
  /** What a lookup looks for. */
  readonly id: string
  /** The most rows of the reply. */
  readonly rows: number
  readonly cursor: Place | undefined
}

const someId = parameter((text, wrong) => text ?? wrong('is required; give a text'))

/** What an operation takes as a tool beside the parameters of REST. */
const own = {
  list: { rows: rowsAsked, cursor: cursorGiven },
  series: { rows: rowsAsked, cursor: cursorGiven },
  find: { id: someId },
}

interface OwnValues {
  readonly rows: number
  readonly cursor: Place | undefined
  readonly id: string
}

/** The check of the arguments of one operation. Errors: `malformed_request` that names every fault at once, in the sentences of REST. */
export function requestCheck(operation: RestOperation, dialect: Dialect): (given: ToolArguments) => Asked {
  const { resource, kind } = operation
  const check = queryCheck(resource, kind, dialect.queries)
  const taken = new Map<string, unknown>(Object.entries(kind in own ? own[kind as keyof typeof own] : {}))
  const checkOwn = checkOf<OwnValues>(Object.fromEntries(taken) as never)
  const names = [...new Set([...parametersOfTool(operation, dialect).keys(), ...taken.keys()])]
  return ({ raw, faults }) => {
    const known = Object.entries(raw).filter(([name]) => names.includes(name))
    const { query, faults: ofQuery } = check(Object.fromEntries(known.filter(([name]) => !taken.has(name))))
    const { values, faults: ofOwn } = checkOwn(raw)
    refuse([...unknownParameters(Object.keys(raw), names), ...faults, ...ofQuery, ...ofOwn])
    return { query, id: values.id ?? '', rows: values.rows ?? 1, cursor: values.cursor }
  }
}

/** Tells what was asked apart from all else; how many rows a reply has may change on the way. */
export function digestOf(
  tool: string,
  resource: string,
  { raw }: ToolArguments,
  from: bigint | undefined,
): string {
  const { rows: _, cursor: __, ...others } = raw
  const texts = Object.entries(others).map(([name, text]) => `${name}=${text}`)
  return digestOfRequest([tool, resource, ...texts.sort(), String(from)])
}

/** Errors: `malformed_request`. */
export function refuseCursorOfOther(cursor: Place | undefined, asked: string): void {
  if (cursor === undefined || cursor.asked === asked) return
  const message =
    'cursor is that of another request; give it with the arguments of the reply that it came from'
  refuse([{ param: 'cursor', message }])
}

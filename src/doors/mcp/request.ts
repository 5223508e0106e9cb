import { createHash } from 'node:crypto'
import { parameter, quoted, refuse } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { combineChecks } from '../../catalog/query/filter-values.ts'
import type { RestOperation } from '../contract/operations.ts'
import { type CheckedQuery, type Operation, queryCheck } from '../contract/query-schema.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { rowsParameter } from './arguments.ts'
import { parametersOfTool } from './schemas.ts'
import type { ToolArguments } from './tool.ts'

/** Start of the next reply. */
interface ToolCursor {
  /** Number of rows before it. */
  readonly first: number
  /** Id of the snapshot of the first reply. */
  readonly snapshot: string
  /** Digest of the tool and its arguments. */
  readonly digest: string
}

const FORM = /^(\d{1,15}) (\S{1,200}) ([\da-f]{16})$/

export function writeToolCursor({ first, snapshot, digest: asked }: ToolCursor): string {
  return Buffer.from(`${first} ${snapshot} ${asked}`).toString('base64url')
}

const cursorParameter = parameter((text, wrong): ToolCursor | undefined => {
  if (text === undefined) return undefined
  const [, first, snapshot, asked] = FORM.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (first === undefined || snapshot === undefined || asked === undefined)
    return wrong(`is ${quoted(text)}; use next.cursor of a reply`)
  return { first: Number(first), snapshot, digest: asked }
})

/** Identifies a request, so that a cursor of another request is refused. */
function digestOfRequest(parts: readonly (string | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/** The checked arguments of a call. */
interface CheckedCall {
  readonly query: CheckedQuery
  /** Key of a lookup. */
  readonly id: string
  /** Maximum number of rows of the reply. */
  readonly rows: number
  readonly cursor: ToolCursor | undefined
}

const idParameter = parameter((text, wrong) => text ?? wrong('is required; give a text'))

/** Checks of the parameters of a tool that REST does not have. */
const toolChecks = (kind: Operation) => ({
  ...((kind === 'list' || kind === 'series') && { rows: rowsParameter, cursor: cursorParameter }),
  ...(kind === 'find' && { id: idParameter }),
})

/** Creates the check of a tool's arguments. Errors: `malformed_request` that names every fault, with the sentences of REST. */
export function requestCheck(
  operation: RestOperation,
  dialect: Dialect,
): (given: ToolArguments) => CheckedCall {
  const { resource, kind } = operation
  const check = queryCheck(resource, kind, dialect.queries)
  const checks = toolChecks(kind)
  const checkToolParameters = combineChecks(checks)
  const names = [...new Set([...parametersOfTool(operation, dialect).keys(), ...Object.keys(checks)])]
  return ({ raw, faults }) => {
    const queryEntries = Object.entries(raw).filter(([name]) => names.includes(name))
    const { query, faults: queryFaults } = check(
      Object.fromEntries(queryEntries.filter(([name]) => !(name in checks))),
    )
    const { values, faults: toolFaults } = checkToolParameters(raw)
    refuse([...unknownParameters(Object.keys(raw), names), ...faults, ...queryFaults, ...toolFaults])
    return { query, id: values.id ?? '', rows: values.rows ?? 1, cursor: values.cursor }
  }
}

/** Identifies a call by everything but `rows` and `cursor`: a client may change `rows` between pages. */
export function requestDigest(
  tool: string,
  resource: string,
  { raw }: ToolArguments,
  from: bigint | undefined,
): string {
  const { rows: _, cursor: __, ...parameters } = raw
  const texts = Object.entries(parameters).map(([name, text]) => `${name}=${text}`)
  return digestOfRequest([tool, resource, ...texts.sort(), String(from)])
}

/** Errors: `malformed_request`. */
export function refuseForeignCursor(cursor: ToolCursor | undefined, digest: string): void {
  if (cursor === undefined || cursor.digest === digest) return
  const message = 'cursor belongs to another request; use the arguments of the reply that it came from'
  refuse([{ param: 'cursor', message }])
}

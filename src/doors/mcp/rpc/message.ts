import { specTypeSchemas as forms, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import { quoted } from '../../../base/parameter-text.ts'
import { isMembers } from '../../../lake/log/log-actions.ts'
import { type RpcError, rpcError } from './rpc-error.ts'

/** Schemas of the methods that have parameters. */
const methods = new Map<unknown, Form>([
  ['initialize', forms.InitializeRequest],
  ['tools/list', forms.ListToolsRequest],
  ['tools/call', forms.CallToolRequest],
])

type Form = (typeof forms)[keyof typeof forms]

/** An issue of zod. */
interface Issue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly expected?: string | undefined
  readonly keys?: readonly string[]
  readonly errors?: readonly (readonly Issue[])[]
}

/** Returns a message that the SDK accepts, or an error. The SDK would answer with its own schema errors, or not at all. */
export function readMessage(given: unknown): { readonly message: unknown } | { readonly refused: RpcError } {
  if (!isMembers(given)) return refused(`The message is ${describeValue(given)}; expected an object.`)
  // The server sends no requests, so the SDK drops replies.
  if (!('method' in given) && ('result' in given || 'error' in given)) return { message: given }
  const message = withoutNull(given)
  const form = 'id' in message ? forms.JSONRPCRequest : forms.JSONRPCNotification
  const issues = issuesOf(form, message) ?? issuesOf(formOf(message), message)
  if (issues === undefined) return { message }
  const sentence = `${issues.map((issue) => describeIssue(issue, message)).join('; ')}.`
  const { id } = message
  const isOfParams = issues.every(({ path }) => path[0] === 'params')
  return {
    refused: rpcError(
      isOfParams ? 'invalidParams' : 'invalidRequest',
      sentence,
      typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null,
    ),
  }
}

function formOf({ method, params }: Message): Form | undefined {
  // The SDK refuses initialize for revisions since 2026-07-28.
  const meta = isMembers(params) && isMembers(params._meta) ? params._meta : {}
  return method === 'initialize' && meta[PROTOCOL_VERSION_META_KEY] !== undefined
    ? undefined
    : methods.get(method)
}

function issuesOf(form: Form | undefined, message: Message): readonly Issue[] | undefined {
  return form?.['~standard'].validate(message).issues as readonly Issue[] | undefined
}

type Message = Readonly<Record<string, unknown>>

/** Drops `arguments: null`. */
function withoutNull(message: Message): Message {
  const { method, params } = message
  if (method !== 'tools/call' || !isMembers(params)) return message
  const { arguments: values, ...otherParams } = params
  return values === null ? { ...message, params: otherParams } : message
}

const refused = (sentence: string) => ({ refused: rpcError('invalidRequest', sentence) })

function describeIssue({ code, path, keys, errors, expected, message }: Issue, given: Message): string {
  const name = path.join('.') || 'the message'
  if (code === 'unrecognized_keys')
    return `${name} has ${(keys ?? []).map(quoted).join(', ')}, which no message has`
  const kinds = errors?.flatMap((issues) => issues.map((issue) => issue.expected)) ?? [expected]
  const words = kinds.flatMap((kind) => (kind === undefined ? [] : [typeNameOf(kind)]))
  const value = path.reduce(
    (part: unknown, key) => (isMembers(part) || Array.isArray(part) ? Reflect.get(part, key) : undefined),
    given,
  )
  if (words.length === 0)
    return `${name} is ${describeValue(value)}; ${message.replace('Invalid input: ', '')}`
  return `${name} is ${describeValue(value)}; expected ${words.join(' or ')}`
}

function typeNameOf(kind: string): string {
  if (kind === 'boolean') return 'true or false'
  if (kind === 'int') return 'an integer'
  return kind === 'record' ? 'an object' : `${/^[ao]/.test(kind) ? 'an' : 'a'} ${kind}`
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

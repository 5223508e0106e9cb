import { specTypeSchemas as forms, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import { quoted } from '../../../base/parameter-text.ts'
import { type RpcError, rpcError } from './rpc-error.ts'

/** Forms of the messages of each method that has parameters. */
const methods = new Map<unknown, Form>([
  ['initialize', forms.InitializeRequest],
  ['tools/list', forms.ListToolsRequest],
  ['tools/call', forms.CallToolRequest],
])

type Form = (typeof forms)[keyof typeof forms]

/** A fault, as zod describes it. */
interface Issue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly expected?: string | undefined
  readonly keys?: readonly string[]
  readonly errors?: readonly (readonly Issue[])[]
}

/** A message as the SDK may have it, or the error that answers it: the SDK would say its own schemas' words, or nothing. */
export function readMessage(given: unknown): { readonly message: unknown } | { readonly refused: RpcError } {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refused(`The message is ${shown(given)}; expected an object.`)
  // Nothing is asked of a client, so its replies are for the SDK to drop.
  if (!('method' in given) && ('result' in given || 'error' in given)) return { message: given }
  const message = withoutNull(given)
  const form = 'id' in message ? forms.JSONRPCRequest : forms.JSONRPCNotification
  const issues = issuesOf(form, message) ?? issuesOf(formOf(message), message)
  if (issues === undefined) return { message }
  const sentence = `${issues.map((issue) => sentenceOf(issue, message)).join('; ')}.`
  const { id } = message
  const isOfParams = issues.every(({ path }) => path[0] === 'params')
  return {
    refused: rpcError(
      isOfParams ? 'invalidParams' : 'invalidRequest',
      sentence,
      typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null,
    ),
  }
}

function formOf({ method, params }: Message): Form | undefined {
  // Revisions since 2026-07-28 have no initialize, as the SDK will say.
  const { _meta } = (params ?? {}) as { _meta?: Message }
  return method === 'initialize' && _meta?.[PROTOCOL_VERSION_META_KEY] !== undefined
    ? undefined
    : methods.get(method)
}

function issuesOf(form: Form | undefined, message: Message): readonly Issue[] | undefined {
  return form?.['~standard'].validate(message).issues as readonly Issue[] | undefined
}

type Message = Readonly<Record<string, unknown>>

/** Arguments of null are no arguments, as each of them is. */
function withoutNull(given: object): Message {
  const message = given as Message
  const { method, params } = message
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return message
  const { arguments: values, ...others } = params as Message
  return values === null ? { ...message, params: others } : message
}

const refused = (sentence: string) => ({ refused: rpcError('invalidRequest', sentence) })

function sentenceOf({ code, path, keys, errors, expected, message }: Issue, given: Message): string {
  const name = path.join('.') || 'the message'
  if (code === 'unrecognized_keys')
    return `${name} has ${(keys ?? []).map(quoted).join(', ')}, which no message has`
  const kinds = errors?.flatMap((issues) => issues.map((issue) => issue.expected)) ?? [expected]
  const words = kinds.flatMap((kind) => (kind === undefined ? [] : [nameOf(kind)]))
  const value = path.reduce(
    (part: unknown, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  )
  if (words.length === 0) return `${name} is ${shown(value)}; ${message.replace('Invalid input: ', '')}`
  return `${name} is ${shown(value)}; expected ${words.join(' or ')}`
}

function nameOf(kind: string): string {
  if (kind === 'boolean') return 'true or false'
  if (kind === 'int') return 'an integer'
  return kind === 'record' ? 'an object' : `${/^[ao]/.test(kind) ? 'an' : 'a'} ${kind}`
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

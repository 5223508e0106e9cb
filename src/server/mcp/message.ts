import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { quoted } from '../../derive/parameter-text.ts'
import { type RpcError, rpcError } from './rpc-error.ts'

/** Forms of the parameters of each method that has some. */
const methods = new Map<unknown, Schema>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
])

interface Schema {
  safeParse(value: unknown): { readonly error?: { readonly issues: readonly Issue[] } | undefined }
}

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
  if (Array.isArray(given)) return refused('Batches are not supported. Send each message by itself.')
  if (typeof given !== 'object' || given === null)
    return refused(`The message is ${shown(given)}; expected an object.`)
  // Nothing is asked of a client, so its replies are for the SDK to drop.
  if (!('method' in given) && ('result' in given || 'error' in given)) return { message: given }
  const message = withoutNull(given)
  const form: Schema = 'id' in message ? JSONRPCRequestSchema : JSONRPCNotificationSchema
  const issues =
    form.safeParse(message).error?.issues ?? methods.get(message.method)?.safeParse(message).error?.issues
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
  const forms = errors?.flatMap((issues) => issues.map((issue) => issue.expected)) ?? [expected]
  const words = forms.flatMap((form) => (form === undefined ? [] : [formWords.get(form) ?? form]))
  const value = path.reduce(
    (part: unknown, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  )
  if (words.length === 0) return `${name} is ${shown(value)}; ${message.replace('Invalid input: ', '')}`
  return `${name} is ${shown(value)}; expected ${words.join(' or ')}`
}

const formWords = new Map([
  ['string', 'a string'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['array', 'an array'],
  ['number', 'a number'],
  ['int', 'an integer'],
  ['boolean', 'true or false'],
])

function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

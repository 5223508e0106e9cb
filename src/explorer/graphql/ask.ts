import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql'
import { decodeText, reach, refusalOfResponse } from '../ask/api.ts'
import { bodyOf, type Question } from '../values/question.ts'

/** The server's response. */
export interface Answer {
  readonly status: number
  /** The body, unchanged. */
  readonly text: string
  /** Time from the request to the last byte. */
  readonly ms: number
  /** Size of the decompressed body. */
  readonly bytes: number
  /** Id of the snapshot behind the response. */
  readonly snapshot: string | null
}

const headers = {
  Accept: 'application/graphql-response+json, application/json;q=0.9',
  'Content-Type': 'application/json',
}

/** Sends a query. Errors: Refused if the server cannot be reached; AbortError. */
export async function askQuestion(address: string, question: Question, signal: AbortSignal): Promise<Answer> {
  const begun = performance.now()
  const request = { method: 'POST', headers, body: bodyOf(question) } as const
  const { response, bytes } = await reach(address, signal, request)
  const ms = performance.now() - begun
  return {
    status: response.status,
    text: decodeText(bytes),
    ms,
    bytes: bytes.byteLength,
    snapshot: response.headers.get('Ledgerlake-Snapshot'),
  }
}

/** Requests the schema, in the schema definition language. Errors: Refused, AbortError. */
export async function askSchema(address: string, signal: AbortSignal): Promise<string> {
  const body = bodyOf({ query: getIntrospectionQuery(), variables: '' })
  const { response, bytes } = await reach(address, signal, { method: 'POST', headers, body })
  const text = decodeText(bytes)
  if (!response.ok) throw refusalOfResponse(response, text)
  const { data }: { readonly data: IntrospectionQuery } = JSON.parse(text)
  return printSchema(buildClientSchema(data))
}

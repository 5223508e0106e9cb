import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onLoopback } from '../servers/loopback.ts'

interface Asked {
  readonly page: number
  readonly asOf: string | null
  readonly authorization: string | undefined
}

type Answer = (asked: Asked, reply: ServerResponse, request: IncomingMessage) => void

/** A service of lists that answers as a test says, and what it was asked. */
export interface ListService {
  /** Up to the network. */
  readonly address: string
  readonly asked: Asked[]
  answer: Answer
}

export async function openListService(answer: Answer): Promise<ListService> {
  const asked: Asked[] = []
  const service = { address: '', asked, answer }
  const server = createServer((request, reply) => {
    const { searchParams } = new URL(request.url ?? '', 'http://here')
    const { authorization } = request.headers
    const one = { page: Number(searchParams.get('page')), asOf: searchParams.get('as_of'), authorization }
    asked.push(one)
    service.answer(one, reply, request)
  })
  service.address = `${(await onLoopback(server)).origin}/v1/net`
  return service
}

/** A page of texts of records, as the specification has it. */
export function pageOf(records: readonly string[], page: number, totalPages: number): string {
  const next = page < totalPages ? page + 1 : null
  const meta = { count: records.length, current_page: page, total_pages: totalPages }
  const info = JSON.stringify({ ...meta, next_page: next, prev_page: page > 1 ? page - 1 : null })
  return `{"meta":${info},"records":[${records.join(',')}]}`
}

/** The same as the hosted service has it: one deeper, and the count is that of all records. */
export function hostedPageOf(
  records: readonly string[],
  page: number,
  totalPages: number,
  count: number,
): string {
  const next = page < totalPages ? page + 1 : null
  const meta = { count, current_page: page, total_pages: totalPages, next_page: next, prev_page: null }
  return `{"meta":{"pagination":${JSON.stringify(meta)}},"records":[${records.join(',')}]}`
}

export function send(reply: ServerResponse, body: string, headers: Record<string, string> = {}): void {
  reply.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body)
}

/** Lists records a few at a time, in the order given. */
export function listing(
  records: readonly string[],
  perPage: number,
  headers: Record<string, string> = {},
): Answer {
  const pages = Math.max(1, Math.ceil(records.length / perPage))
  return ({ page }, reply) =>
    send(reply, pageOf(records.slice((page - 1) * perPage, page * perPage), page, pages), headers)
}

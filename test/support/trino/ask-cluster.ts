import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'

/** Where a cluster is, and as whom it is asked. */
export interface Access {
  readonly server: string
  readonly user?: string
  /** Sent over HTTPS; this authority, in PEM, vouches for the certificate. */
  readonly password?: string
  readonly authority?: string
}

interface Page {
  readonly nextUri?: string
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: { readonly message: string }
}

/** The rows of a statement. Errors: Error with the words of the cluster. */
export async function askCluster(access: Access, sql: string): Promise<readonly (readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = []
  let page = await exchange(access, `${access.server}/v1/statement`, sql)
  for (;;) {
    const { nextUri, data, error } = page
    if (error !== undefined) throw new Error(error.message)
    rows.push(...(data ?? []))
    if (nextUri === undefined) return rows
    page = await exchange(access, nextUri)
  }
}

async function exchange(access: Access, address: string, body?: string): Promise<Page> {
  const { user = 'test', password, authority: ca } = access
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Trino-User': user },
    ...(password !== undefined && { auth: `${user}:${password}` }),
  }
  const sent = ca === undefined ? request(address, options) : secureRequest(address, { ...options, ca })
  sent.end(body)
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  const words = await text(reply)
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode}: ${words.slice(0, 300)}`)
  return JSON.parse(words) as Page
}

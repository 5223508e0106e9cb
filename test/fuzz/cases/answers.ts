import { isDeepStrictEqual } from 'node:util'
import { readers } from '../../support/export/read-files.ts'
import { firstDifference } from '../../support/first-difference.ts'
import { must, type Outcome } from './target.ts'
import type { World } from './world.ts'

/** A request as both servers get it. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

interface Reply {
  readonly status: number
  readonly type: string
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, unknown>>
}

/** What no caller may read: stacks, statements, and where things lie on this machine. */
const LEAKS =
  /\n {4}at |node:internal|\/node_modules\/|\/src\/\w|\.ts:\d|(?:Binder|Parser|Catalog|Conversion|IO|Internal|INTERNAL) Error|read_parquet|\bSELECT\b.*\bFROM\b/

/**
 * Asks the program and the memory engine the same. Errors: Error for a status that is not declared, a leak, and whatever is not the same in both.
 */
export async function compareAnswers(
  world: World,
  request: Request,
  declared: readonly string[],
  isValid: boolean,
): Promise<Outcome> {
  const own = await ask(world.served, request)
  const text = own.bytes.toString('utf8')
  must(own.status !== 500, () => `500: ${text.slice(0, 300)} ${world.takeLog().slice(0, 1500)}`)
  must(own.status < 500 || declared.includes(`${own.status}`), () => `${own.status} is not declared: ${text}`)
  const echoed =
    decodeURIComponentSafely(request.url) + (request.body ?? '') + JSON.stringify(request.headers)
  const leak = LEAKS.exec(text)?.[0]
  must(leak === undefined || echoed.includes(leak), () => `the reply tells ${leak}: ${text.slice(0, 500)}`)
  must(!text.includes(world.folder), () => `the reply names a folder of this machine: ${text.slice(0, 500)}`)
  const other = await ask(world.byMemory, request)
  must(own.status === other.status, () => `${own.status}, and ${other.status} from memory`)
  const isSame = own.bytes.equals(other.bytes) || saysSame(own, other) || (await sameFile(own, other))
  must(isSame, () => `not as from memory: ${firstDifference(own.bytes.toString(), other.bytes.toString())}`)
  const isRefused = own.status >= 400 || text.startsWith('{"errors"')
  must(
    !isValid || (own.status === 200 && !isRefused),
    () => `a valid request was refused: ${own.status} ${text}`,
  )
  if (isRefused) return 'refused'
  if (formatOf(own) !== undefined) return Number(own.headers['ledgerlake-rows'] ?? 0) > 0 ? 'data' : 'empty'
  return hasData(text) ? 'data' : 'empty'
}

/** A record in a list, a sum other than 0, or a text. */
const hasData = (text: string) => /\[\s*\{|:-?[1-9]|":"/.test(text) || (text !== '' && !text.startsWith('{'))

async function ask(server: World['served'], { method, url, headers, body }: Request): Promise<Reply> {
  const {
    statusCode,
    rawPayload,
    headers: given,
  } = await server.inject({
    ...{ method, url, headers },
    ...(body !== undefined && { payload: body }),
  })
  return { status: statusCode, type: String(given['content-type'] ?? ''), bytes: rawPayload, headers: given }
}

/** The same refusal at two moments. */
function saysSame(own: Reply, other: Reply): boolean {
  const words = ({ bytes }: Reply) => bytes.toString().replaceAll(/to [\dT:.-]+Z, now/g, 'to now')
  return own.status >= 400 && words(own) === words(other)
}

const kinds = { ndjson: 'ndjson', csv: 'csv', parquet: 'parquet', arrow: 'arrow' } as const

function formatOf({ type, status }: Reply): keyof typeof kinds | undefined {
  return status === 200 ? Object.values(kinds).find((kind) => type.includes(kind)) : undefined
}

/** Files may be cut into other pieces: then other readers have to find the same cells in them. */
async function sameFile(own: Reply, other: Reply): Promise<boolean> {
  const format = formatOf(own)
  const read = readers[format ?? '']
  if (read === undefined || own.headers['content-encoding'] !== undefined) return false
  return isDeepStrictEqual(await read(own.bytes), await read(other.bytes))
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

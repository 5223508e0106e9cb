import { join } from 'node:path'
import { vi } from 'vitest'
import type { ServerOptions } from '../../../src/doors/build-server.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { KeyTerms } from '../../../src/keys/api-key.ts'
import { openCounterOf } from '../../../src/keys/counting/key-counter.ts'
import { addKey } from '../../../src/keys/key-file.ts'
import { followKeys, type KeyRing } from '../../../src/keys/key-ring.ts'
import { cleanUp } from '../clean-up.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { buildTestServer, type TestServer } from './build-test-server.ts'

export interface Reply {
  readonly status: number
  readonly text: string
  readonly code: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
}

/** A server that asks for keys. */
export interface GatedServer {
  readonly test: TestServer
  readonly keyFile: string
  newKey(terms?: Partial<KeyTerms>): Promise<string>
  /** Asks with a key, or with other headers. */
  ask(url: string, key?: string, request?: Request): Promise<Reply>
}

interface Request {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
}

const everyTerm: KeyTerms = {
  name: 'an operator',
  features: ['HotspotData', 'OracleData', 'Aggregates'],
  ratePerMinute: null,
  quotaPer30Days: null,
  lookbackDays: null,
}

const LOOK_AGAIN_MS = 10

interface Surroundings {
  readonly keyFile?: string
  readonly around?: (engine: Engine) => Engine
  readonly options?: Partial<ServerOptions>
}

/** Serves a lake to callers with keys; it ends with the test, or with its file when `beforeAll` opens it. */
export async function gatedServer(
  lake: string,
  { keyFile, around, options }: Surroundings = {},
): Promise<GatedServer> {
  const path = keyFile ?? join(await temporaryFolder(), 'keys.ndjson')
  // Made before the server follows the file, so that it is locked from the beginning.
  let known = 0
  const newKey = (terms: Partial<KeyTerms> = {}) => {
    known += 1
    return addKey(path, { ...everyTerm, name: `caller ${known}`, ...terms }, new Date())
  }
  if (keyFile === undefined) await newKey({ name: 'the first' })
  const onError = (error: unknown) => console.error(error)
  const keys = await followKeys(path, LOOK_AGAIN_MS, onError)
  const counter = openCounterOf(path, onError)
  const test = await buildTestServer(lake, 60_000, around, { keys, counter, ...options })
  cleanUp(async () => {
    vi.useRealTimers()
    await test.close()
    await keys.close()
    counter.close()
  })
  const ask: GatedServer['ask'] = async (url, key, { method = 'GET', headers = {}, payload } = {}) => {
    const reply = await test.server.inject({
      method,
      url,
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      ...(payload !== undefined && { payload }),
    })
    const code = /"code":"(\w+)"/.exec(reply.body)?.[1]
    return { status: reply.statusCode, text: reply.body, code, headers: reply.headers }
  }
  return {
    test,
    keyFile: path,
    ask,
    async newKey(terms) {
      const text = await newKey(terms)
      while (!isKnown(keys, text)) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
      return text
    },
  }
}

/** While the key file is missing none is. */
function isKnown(keys: KeyRing, text: string): boolean {
  try {
    return keys.find(text) !== undefined
  } catch {
    return false
  }
}

import { stat } from 'node:fs/promises'
import { type ApiKey, idOfKey, isSameKey } from './api-key.ts'
import { readKeys } from './key-file.ts'

/** The keys that a server knows; the file is looked at again and again, so that a new or revoked key needs no restart. */
export interface KeyRing {
  /** Whether requests need a key: so as soon as there is a file of keys, also when it has none any more or is gone. */
  isLocked(): boolean
  /** The key of this text, unless it was revoked. */
  find(text: string): ApiKey | undefined
  close(): Promise<void>
}

/**
 * Follows the file of keys. A file that is gone or broken leaves what was known before: nobody is let in by it.
 * Errors: `malformed_request` when it cannot be read at first.
 */
export async function followKeys(
  path: string,
  lookAgainMs: number,
  onError: (error: unknown) => void,
): Promise<KeyRing> {
  let seen = await signOf(path)
  const first = await readKeys(path)
  let keys = byId(first)
  let isLocked = first !== undefined

  async function look(): Promise<void> {
    try {
      const sign = await signOf(path)
      if (sign === seen) return
      const read = await readKeys(path)
      seen = sign
      if (read !== undefined) {
        keys = byId(read)
        if (isLocked && keys.size === 0)
          onError(new Error(`${path} has no keys any more; no request is answered.`))
        isLocked = true
      } else if (keys.size > 0) onError(new Error(`${path} is gone; the keys known until now still count.`))
    } catch (error) {
      onError(error)
    }
  }

  let closed = false
  let looking: Promise<void> = Promise.resolve()
  // Who only looks at keys does not live for their sake.
  let timer = setTimeout(again, lookAgainMs).unref()
  function again(): void {
    looking = look().finally(() => {
      if (!closed) timer = setTimeout(again, lookAgainMs).unref()
    })
  }

  return {
    isLocked: () => isLocked,
    find(text) {
      const key = keys.get(idOfKey(text) ?? '')
      return key !== undefined && key.revoked === undefined && isSameKey(text, key) ? key : undefined
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await looking
    },
  }
}

function byId(keys: readonly ApiKey[] = []): ReadonlyMap<string, ApiKey> {
  return new Map(keys.map((key) => [key.id, key]))
}

/** Changes with every line that is appended and with every file that takes the place of another. */
async function signOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`
}

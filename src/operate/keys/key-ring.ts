import { stat } from 'node:fs/promises'
import { repeatAfter } from '../../base/background.ts'
import { fail, sentenceOf } from '../../base/errors.ts'
import { type ApiKey, idOfKey, isSameKey } from './api-key.ts'
import { readKeys } from './key-file.ts'

/** Keys of a server. The file is polled, so that key changes need no restart. */
export interface KeyRing {
  /** Returns true once a key file was seen, even if it is empty or missing now. */
  isLocked(): boolean
  /** The key of this text, unless it was revoked. Errors: `not_ready` while the key file is missing or damaged. */
  find(text: string): ApiKey | undefined
  /** The key of this id, unless it was revoked or no key is accepted. */
  named(id: string): ApiKey | undefined
  /** Why no key is accepted, while the key file is missing or damaged. */
  problem(): string | undefined
  close(): Promise<void>
}

/**
 * Follows the key file. While it is missing or damaged nobody is let in: who was revoked since is not known. Each problem
 * is reported once. Errors: `malformed_request` when it cannot be read at first.
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
  let problem: string | undefined

  async function reload(): Promise<void> {
    const sign = await signOf(path)
    if (sign === seen && problem === undefined) return
    try {
      const read = await readKeys(path)
      if (read === undefined && isLocked) throw new Error(`The key file ${path} is missing.`)
      if (isLocked && keys.size > 0 && read?.length === 0)
        onError(new Error(`${path} has no keys any more; no request is answered.`))
      seen = sign
      keys = byId(read)
      isLocked ||= read !== undefined
      problem = undefined
    } catch (error) {
      isLocked = true
      const sentence = sentenceOf(error)
      if (sentence !== problem) onError(new Error(`${sentence} No key is accepted until it is restored.`))
      problem = sentence
    }
  }

  const polling = repeatAfter(lookAgainMs, 'following the key file', reload)

  return {
    isLocked: () => isLocked,
    problem: () => problem,
    named(id) {
      const key = problem === undefined ? keys.get(id) : undefined
      return key?.revoked === undefined ? key : undefined
    },
    find(text) {
      if (problem !== undefined)
        fail(
          'not_ready',
          'The key file of this server is missing or damaged; no key is accepted until it is restored.',
        )
      const key = keys.get(idOfKey(text) ?? '')
      return key !== undefined && key.revoked === undefined && isSameKey(text, key) ? key : undefined
    },
    close: polling.stop,
  }
}

function byId(keys: readonly ApiKey[] = []): ReadonlyMap<string, ApiKey> {
  return new Map(keys.map((key) => [key.id, key]))
}

/** Changes with every file that takes the place of another, and with every line that an older build appends. */
async function signOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`
}

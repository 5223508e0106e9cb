import { stat } from 'node:fs/promises'
import { repeatAfter } from '../base/background.ts'
import { fail, sentenceOf } from '../base/errors.ts'
import { type ApiKey, idOfKey, isSameKey } from './api-key.ts'
import { readKeys } from './key-file.ts'

/** Keys of a server. The file is polled, so that key changes need no restart. */
export interface KeyRing {
  /** Returns true once a key file was seen, even if it is now empty or missing. */
  isLocked(): boolean
  /** Returns the key of a text unless revoked. Errors: `not_ready` while the key file is missing or damaged. */
  find(text: string): ApiKey | undefined
  /** Returns the key of an id; undefined if it is revoked, or while the key file is missing or damaged. */
  named(id: string): ApiKey | undefined
  /** Returns the key in use of a name. */
  withName(name: string): ApiKey | undefined
  /** True if a key in use with the feature Sql has no verifier of passwords. */
  hasSqlWithoutVerifier(): boolean
  /** A text that nobody knows outside of the key file, the same for all processes. */
  secret(): string
  /** Returns why no key is accepted; undefined unless the key file is missing or damaged. */
  problem(): string | undefined
  close(): Promise<void>
}

/**
 * Polls the key file. While it is missing or damaged no key is accepted, because revocations are unknown. Reports each
 * problem once.
 * Errors: `malformed_request` if the first read fails.
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

  const inUse = () =>
    problem === undefined ? [...keys.values()].filter(({ revoked }) => revoked === undefined) : []

  const polling = repeatAfter(lookAgainMs, 'following the key file', reload)

  return {
    isLocked: () => isLocked,
    problem: () => problem,
    withName: (name) => inUse().find((key) => key.name === name),
    hasSqlWithoutVerifier: () =>
      inUse().some(({ features, scram }) => features.includes('Sql') && scram === undefined),
    secret: () => [...keys.values()][0]?.sha256 ?? '',
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

/** Changes when the file is replaced, and when an older build appends a line. */
async function signOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`
}

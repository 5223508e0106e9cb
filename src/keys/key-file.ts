import { constants } from 'node:fs'
import { open, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fail, ServiceError, sentenceOf } from '../base/errors.ts'
import { isMissing, replaceFile, syncFolder, unlessMissing } from '../lake/disk/disk.ts'
import { changeAlone } from '../lake/runs/change-alone.ts'
import { type ApiKey, idOfKey, type KeyTerms, newKey, withoutKeys } from './api-key.ts'
import { type Line, parseKeyLines, writeKeyLines } from './key-lines.ts'
import { newVerifier } from './scram-verifier.ts'

/** Keys in the order of their creation, including revoked ones; undefined if the file does not exist. */
export async function readKeys(path: string): Promise<readonly ApiKey[] | undefined> {
  const lines = await readFileLines(path)
  return lines && keysOf(lines)
}

async function readFileLines(path: string): Promise<readonly Line[] | undefined> {
  const text = await readPlainFile(path).catch((cause) => {
    if (isMissing(cause)) return undefined
    return fail('malformed_request', `The keys in ${path} cannot be read: ${sentenceOf(cause)}.`, { cause })
  })
  return text === undefined ? undefined : parseKeyLines(text, path)
}

const MOST_BYTES = 2 ** 26

/** Follows links, because keys may be mounted. Refuses pipes and devices, which may never end. */
async function readPlainFile(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const facts = await handle.stat()
    if (!facts.isFile() && !facts.isDirectory()) throw new Error('it is not a regular file')
    if (facts.size > MOST_BYTES)
      throw new Error(`it has ${facts.size} bytes, where ${MOST_BYTES} are the most`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

function keysOf(lines: readonly Line[]): readonly ApiKey[] {
  const keys = new Map<string, ApiKey>()
  for (const entry of lines) {
    const key = keys.get(entry.id)
    if ('sha256' in entry) keys.set(entry.id, entry)
    else if (key !== undefined) keys.set(entry.id, { ...key, revoked: entry.revoked })
  }
  return [...keys.values()]
}

const inUse = (keys: readonly ApiKey[]) => keys.filter(({ revoked }) => revoked === undefined)
const namesOf = (keys: readonly ApiKey[]) => keys.map(({ name }) => JSON.stringify(name)).join(', ')

/**
 * Adds a key and returns its text, which is stored nowhere. Errors: `malformed_request` if a key in use has the name.
 */
export async function addKey(path: string, terms: KeyTerms, now: Date): Promise<string> {
  const { text, id, sha256 } = newKey()
  await appendLine(path, (keys) => {
    const namesake = inUse(keys).find(({ name }) => name === terms.name)
    if (namesake !== undefined) {
      const sentence = `There is a key of the name ${JSON.stringify(terms.name)} already, ${namesake.id}; choose another name, or revoke it first.`
      fail('malformed_request', sentence)
    }
    const scram = terms.features.includes('Sql') ? { scram: newVerifier(text) } : {}
    return { id, sha256, ...terms, features: [...terms.features], ...scram, created: now.toISOString() }
  })
  return text
}

/** Revokes a key by name, id or text, and returns it. Errors: `not_found`. */
export async function revokeKey(path: string, nameOrId: string, now: Date): Promise<ApiKey> {
  const named = idOfKey(nameOrId) ?? nameOrId
  const find = (keys: readonly ApiKey[]): ApiKey => {
    const live = inUse(keys)
    const key = live.find(({ id }) => id === named) ?? live.find(({ name }) => name === named)
    if (key !== undefined) return key
    const keysInUse = live.length === 0 ? 'there is none' : `there are ${namesOf(live)}`
    return fail(
      'not_found',
      `No key in use has the name or id ${JSON.stringify(withoutKeys(named))}; ${keysInUse}.`,
    )
  }
  // Check first: without a matching key, no lock or file is created.
  let key = find((await readKeys(path)) ?? [])
  await appendLine(path, (keys) => {
    key = find(keys)
    return { id: key.id, revoked: now.toISOString() }
  })
  return key
}

/** Removes a key file without keys in use. Errors: `malformed_request` names the keys in use. */
export async function removeKeyFile(path: string): Promise<void> {
  if ((await readKeys(path)) === undefined) return
  await changeKeyFile(path, async (target) => {
    const live = inUse((await readKeys(target)) ?? [])
    if (live.length > 0)
      fail('malformed_request', `${path} has keys in use, ${namesOf(live)}; revoke them first.`)
    await rm(target, { force: true })
    await syncFolder(dirname(target))
  })
}

/**
 * Appends the line that `decide` returns for the existing keys. Replaces the whole file, so a full disk leaves it
 * unchanged.
 */
function appendLine(path: string, decide: (keys: readonly ApiKey[]) => Line): Promise<void> {
  return changeKeyFile(path, async (target, scratch) => {
    const lines = (await readFileLines(target)) ?? []
    const content = writeKeyLines([...lines, decide(keysOf(lines))])
    const temporary = join(scratch, basename(target))
    await makeAlike(temporary, target)
    await replaceFile(target, content, temporary)
  })
}

/** Locks the file behind `path` for a change. A symbolic link stays a link. */
async function changeKeyFile(
  path: string,
  work: (target: string, scratch: string) => Promise<void>,
): Promise<void> {
  try {
    const target = await realpath(path).catch((error) => (isMissing(error) ? path : Promise.reject(error)))
    await changeAlone(target, (scratch) => work(target, scratch))
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    fail('lake_unwritable', `The keys in ${path} cannot be written: ${sentenceOf(cause)}.`, { cause })
  }
}

/** Creates an empty file with owner and mode of `model`; mode 600 if `model` does not exist. */
async function makeAlike(path: string, model: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    const there = await stat(model).catch(unlessMissing)
    if (there === undefined) return
    const stats = await handle.stat()
    if (stats.uid !== there.uid || stats.gid !== there.gid) await handle.chown(there.uid, there.gid)
    await handle.chmod(there.mode & 0o777)
  } finally {
    await handle.close()
  }
}

import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { features } from '../catalog/feature.ts'
import { fail, sentenceOf } from '../errors.ts'
import { isMissing, makeFolder, syncFolder } from '../lake/disk.ts'
import { type ApiKey, idOfKey, type KeyTerms, newKey, withoutKeys } from './api-key.ts'

/**
 * The file of keys: one JSON object a line, a key that was added or the id of one that was revoked. Lines are only ever
 * appended, so that two who write at once lose nothing and what happened can be read.
 */

const limit = z.int().min(0).nullable()

const added = z.strictObject({
  id: z.string().regex(/^[\da-f]{12}$/),
  sha256: z.string().regex(/^[\da-f]{64}$/),
  name: z.string().min(1),
  features: z.array(z.enum(features)),
  ratePerMinute: limit,
  quotaPer30Days: limit,
  lookbackDays: limit,
  created: z.iso.datetime(),
})

const revoked = z.strictObject({ id: z.string(), revoked: z.iso.datetime() })

const line = z.union([added, revoked])

type Line = z.output<typeof line>

/** Keys in the order in which they were added, revoked ones included; undefined when there is no file. */
export async function readKeys(path: string): Promise<readonly ApiKey[] | undefined> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    if (isMissing(cause)) return undefined
    return fail('malformed_request', `The keys in ${path} cannot be read: ${sentenceOf(cause)}.`, { cause })
  })
  if (text === undefined) return undefined
  const keys = new Map<string, ApiKey>()
  for (const [index, row] of wholeLines(text).entries()) {
    const entry = readLine(row, path, index + 1)
    if ('sha256' in entry) keys.set(entry.id, entry)
    else {
      const key = keys.get(entry.id)
      if (key !== undefined) keys.set(entry.id, { ...key, revoked: entry.revoked })
    }
  }
  return [...keys.values()]
}

/** What stands after the last line break may have been cut off while it was written: then nobody was told of it. */
function wholeLines(text: string): readonly string[] {
  const rows = text.split('\n')
  return isWhole(rows.at(-1) ?? '') ? rows : rows.slice(0, -1)
}

const isWhole = (row: string) => line.safeParse(parseJson(row)).success

function readLine(row: string, path: string, number: number): Line {
  const parsed = line.safeParse(parseJson(row))
  if (parsed.success) return parsed.data
  const shown = row.length > 60 ? `${row.slice(0, 60)}…` : row
  return fail(
    'malformed_request',
    `Line ${number} of ${path} is ${JSON.stringify(shown)}; a key as written by ledgerlake keys add is accepted.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Adds a key and gives its text, which is kept nowhere. Errors: `malformed_request` for a name that is in use. */
export async function addKey(path: string, terms: KeyTerms, now: Date): Promise<string> {
  const keys = (await readKeys(path)) ?? []
  const same = keys.find(({ name, revoked }) => name === terms.name && revoked === undefined)
  if (same !== undefined) {
    const sentence = `There is a key of the name ${JSON.stringify(terms.name)} already, ${same.id}; another name is accepted, or revoke it first.`
    fail('malformed_request', sentence)
  }
  const { text, id, sha256 } = newKey()
  await append(path, { id, sha256, ...terms, features: [...terms.features], created: now.toISOString() })
  return text
}

/** Revokes the key of a name or an id, or the key itself, and gives it back. Errors: `not_found`. */
export async function revokeKey(path: string, nameOrId: string, now: Date): Promise<ApiKey> {
  const live = ((await readKeys(path)) ?? []).filter((key) => key.revoked === undefined)
  const named = idOfKey(nameOrId) ?? nameOrId
  const key = live.find(({ id }) => id === named) ?? live.find(({ name }) => name === named)
  if (key === undefined) {
    const known = live.map(({ name }) => JSON.stringify(name)).join(', ')
    const sentence = `No key in use has the name or id ${JSON.stringify(withoutKeys(named))}; ${known === '' ? 'there is none' : `there are ${known}`}.`
    return fail('not_found', sentence)
  }
  await append(path, { id: key.id, revoked: now.toISOString() })
  return key
}

async function append(path: string, entry: Line): Promise<void> {
  try {
    await makeFolder(dirname(path))
    const handle = await open(path, 'a+', 0o600)
    try {
      const text = await handle.readFile('utf8')
      const end = text.lastIndexOf('\n') + 1
      const last = text.slice(end)
      const keepsLast = isWhole(last)
      if (last !== '' && !keepsLast) await handle.truncate(Buffer.byteLength(text.slice(0, end)))
      await handle.appendFile(`${keepsLast ? '\n' : ''}${JSON.stringify(entry)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await syncFolder(dirname(path))
  } catch (cause) {
    fail('lake_unwritable', `The keys in ${path} cannot be written: ${sentenceOf(cause)}.`, { cause })
  }
}

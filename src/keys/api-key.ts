import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Feature, features } from '../catalog/feature.ts'

/** Features and limits of a key; null means no limit. */
export interface KeyTerms {
  readonly name: string
  readonly features: readonly Feature[]
  readonly ratePerMinute: number | null
  readonly quotaPer30Days: number | null
  readonly lookbackDays: number | null
}

/** A key as stored. Only the client knows its secret. */
export interface ApiKey extends KeyTerms {
  /** Public part of the key; names it in listings, files and logs. */
  readonly id: string
  /** SHA-256 of the whole key, in hex. */
  readonly sha256: string
  /** Verifier of passwords for clients of PostgreSQL, of keys with the feature Sql. */
  readonly scram?: string | undefined
  /** ISO 8601. */
  readonly created: string
  readonly revoked?: string
}

/** Features that read whole tables, with the name of their interface. */
export const wholeFeatures = ['Sql', 'Share'] as const

export type WholeFeature = (typeof wholeFeatures)[number]

const readsWhole: Readonly<Record<WholeFeature, string>> = { Sql: 'SQL', Share: 'Delta Sharing' }

/**
 * Returns why a key with these terms cannot use a feature that reads every table from its beginning; undefined if it
 * can.
 */
export function whyNotWhole(
  feature: WholeFeature,
  { features: keyFeatures, lookbackDays }: KeyTerms,
): string | undefined {
  const lacking = features.filter((needed) => !keyFeatures.includes(needed))
  const subject = readsWhole[feature]
  if (lacking.length > 0)
    return `${subject} reads every table, so the feature ${feature} is for keys with ${features.join(', ')}; this one lacks ${lacking.join(' and ')}.`
  if (lookbackDays === null) return undefined
  return `${subject} reads every table from its beginning, so the feature ${feature} is not for keys with a look-back; this one has ${lookbackDays} days.`
}

const FORM = /^ll_([\da-f]{12})_[\da-f]{64}$/

/** Creates a key: an id and 256 random bits. A hash without salt is enough, because nobody can guess the bits. */
export function newKey(): { readonly text: string; readonly id: string; readonly sha256: string } {
  const id = randomBytes(6).toString('hex')
  const text = `ll_${id}_${randomBytes(32).toString('hex')}`
  return { text, id, sha256: digestOf(text).toString('hex') }
}

/** Returns the id of a text that has the form of a key, otherwise undefined. */
export function idOfKey(text: string): string | undefined {
  return FORM.exec(text)?.[1]
}

/** Compares in constant time, so timing does not show where two keys differ. */
export function isSameKey(text: string, { sha256 }: ApiKey): boolean {
  return timingSafeEqual(digestOf(text), Buffer.from(sha256, 'hex'))
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

const ENCODED = '%(?:25)*'
const L = `(?:l|${ENCODED}[46]c)`
const LINE = `(?:_|${ENCODED}5f)`
const HEX = `(?:[\\da-f]|${ENCODED}(?:3\\d|[46][1-6]))`
/** Matches a key or a part of one, with any letter percent-encoded any number of times. */
const ANYWHERE = new RegExp(`${L}{2}${LINE}(${HEX}{12})${LINE}${HEX}+`, 'gi')

/** Text without a match has no key. It is tested first: it takes a tenth of the time. */
const HINT = /ll_|%(?:25)*(?:[46]c|5f)/i

/** Replaces keys by their ids, so that no log and no error response has a secret. */
export function withoutKeys(text: string): string {
  return !HINT.test(text) ? text : text.replace(ANYWHERE, 'll_$1_…')
}

import { resolve } from 'node:path'

/** Parses the text of a setting; undefined for invalid text, for which `advice` names the accepted forms. */
export interface Reader<T> {
  readonly advice: string
  read(text: string): T | undefined
}

export const wholeNumberIn = (least: number, most: number): Reader<number> => ({
  advice: `use a whole number from ${least} to ${most}`,
  read: (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
    return value >= least && value <= most ? value : undefined
  },
})

export const words: Reader<string> = { advice: 'it must not be empty', read: (text) => text || undefined }

const ADDRESS = /^([a-z][a-z\d+.-]+:\/\/|s3a?:)/i

/** Returns true for an address such as s3://b/f, which as a path would be a folder named `s3:`. */
export const isAddress = (text: string) => ADDRESS.test(text)
/** Makes a path that starts with ~ absolute: the engine would expand it, and the file system does not. */
const fromHere = (text: string) => (text.startsWith('~') ? resolve(text) : text)

/** A path on this machine. */
export const path: Reader<string> = {
  advice: 'use a path on this machine',
  read: (text) => (isAddress(text) ? undefined : fromHere(text)),
}

const isOtherAddress = (text: string) => isAddress(text) && !text.startsWith('s3://')

/** The folder of a lake, or the address of a bucket. */
export const folder: Reader<string> = {
  advice: 'use a folder, or s3://BUCKET/FOLDER',
  read: (text) => (isOtherAddress(text) ? undefined : fromHere(text) || undefined),
}

export const yesOrNo: Reader<boolean> = {
  advice: 'use true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

export const service: Reader<'' | 'relay'> = {
  advice: 'use relay, or leave it empty',
  read: (text) => (text === '' || text === 'relay' ? text : undefined),
}

const levels = ['error', 'warn', 'info', 'debug'] as const

export const logLevel: Reader<(typeof levels)[number]> = {
  advice: 'use error, warn, info or debug',
  read: (text) => levels.find((level) => level === text),
}

export const segment: Reader<string> = {
  advice: 'use lower-case letters, digits and hyphens',
  read: (text) => (/^[a-z\d-]+$/.test(text) ? text : undefined),
}

const ORIGIN = /^https?:\/\/[\w.-]+(:\d{1,5})?$|^https?:\/\/\[[\da-f:]+\](:\d{1,5})?$/i

/** `*`, or origins as browsers send them: scheme, host and port, without a path. */
export const origins: Reader<readonly string[]> = {
  advice: 'use * or origins such as https://example.org, separated by commas',
  read: (text) => {
    const list = text.split(',').map((origin) => origin.trim())
    const given = list.filter((origin) => origin !== '')
    const isAny = given.length === 1 && given[0] === '*'
    return isAny || given.every((origin) => ORIGIN.test(origin)) ? given : undefined
  },
}

/** Sources of sync, each as the words of its command line. */
export const sources: Reader<readonly (readonly string[])[]> = {
  advice: 'use sources such as s3://bucket/folder --requester-pays --budget 5, separated by semicolons',
  read(text) {
    const given = text.split(';').map((one) => one.split(/\s+/).filter((word) => word !== ''))
    const read = given.filter((words) => words.length > 0)
    return read.every(([first = '']) => !first.startsWith('-')) ? read : undefined
  },
}

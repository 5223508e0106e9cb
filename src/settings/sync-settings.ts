import type { Reader } from './readers.ts'
import { setting } from './setting.ts'

const sources: Reader<readonly (readonly string[])[]> = {
  advice: 'use sources such as s3://bucket/folder --requester-pays --budget 5, separated by semicolons',
  read(text) {
    const given = text.split(';').map((one) => one.split(/\s+/).filter((word) => word !== ''))
    const read = given.filter((words) => words.length > 0)
    return read.every(([first = '']) => !first.startsWith('-')) ? read : undefined
  },
}

/** Settings of the sources that keep a served lake up to date. */
export const syncSettings = {
  sync: setting(
    sources,
    'SOURCES',
    '',
    'Sources to synchronize while serving, each with flags as after ledgerlake sync, separated by semicolons.',
  ),
}

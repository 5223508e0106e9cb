import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePipe } from '../../support/make-pipe.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import type { PathCase } from '../case.ts'
import { stored } from './file-faults.ts'

const nameOf = (number: number) => `iot_reward_share.${number}.gz`
const share = frameFile([operational(7)])

export const paths: readonly PathCase[] = [
  {
    name: 'a path that is not there',
    wrong: 'A path that is given does not exist.',
    prepare: () => {},
    path: 'nowhere',
    isGiven: true,
    reason: 'no such file or folder',
  },
  {
    name: 'a link to nothing that is given',
    wrong: 'A path that is given is a link to nothing.',
    prepare: (folder) => symlinkSync('nowhere', join(folder, 'dangling')),
    path: 'dangling',
    isGiven: true,
    reason: 'it is a symbolic link to nowhere: no such file or folder',
  },
  {
    name: 'a link to nothing in a folder',
    wrong: 'A link in a folder leads to nothing.',
    prepare: (folder) => symlinkSync('missing', join(folder, 'in', nameOf(40))),
    path: `in/${nameOf(40)}`,
    reason: 'it is a symbolic link to missing: no such file or folder',
  },
  {
    name: 'a link to itself',
    wrong: 'Links lead in a circle.',
    prepare: (folder) => symlinkSync(nameOf(41), join(folder, 'in', nameOf(41))),
    path: `in/${nameOf(41)}`,
    reason: `it is a symbolic link to ${nameOf(41)}: symbolic links lead in a circle`,
  },
  {
    name: 'a link to a file outside of the folder',
    wrong: 'A link in a folder leads to a file outside of it.',
    prepare(folder) {
      writeFileSync(join(folder, 'outside', nameOf(42)), share)
      symlinkSync(join('..', 'outside', nameOf(42)), join(folder, 'in', nameOf(42)))
    },
    path: `in/${nameOf(42)}`,
    reason: `it is a symbolic link out of in, to FOLDER/outside/${nameOf(42)}; give that path itself`,
  },
  {
    name: 'a link to a folder outside of the folder',
    wrong: 'A link in a folder leads to a folder outside of it.',
    prepare: (folder) => symlinkSync(join('..', 'outside'), join(folder, 'in', 'linked-folder')),
    path: 'in/linked-folder',
    reason: 'it is a symbolic link out of in, to FOLDER/outside; give that path itself',
  },
  {
    name: 'a named pipe in a folder',
    wrong: 'A file is a named pipe.',
    prepare: (folder) => makePipe(join(folder, 'in', nameOf(43))),
    path: `in/${nameOf(43)}`,
    reason: 'it is a named pipe; expected a regular file',
  },
  {
    name: 'a named pipe with the name of a stored file',
    wrong: 'A named pipe has the name of a file that the lake holds.',
    prepare(folder) {
      mkdirSync(join(folder, 'in', 'pipes'))
      makePipe(join(folder, 'in', 'pipes', stored.name))
    },
    path: `in/pipes/${stored.name}`,
    reason: 'it is a named pipe; expected a regular file',
  },
  {
    name: 'a device',
    wrong: 'A path that is given is a device.',
    prepare: () => {},
    path: '/dev/zero',
    isGiven: true,
    reason: 'it is a device; expected a regular file',
  },
  {
    name: 'a file without the permission to read it',
    wrong: 'A file may not be read.',
    prepare(folder) {
      writeFileSync(join(folder, 'in', nameOf(44)), share)
      chmodSync(join(folder, 'in', nameOf(44)), 0)
    },
    path: `in/${nameOf(44)}`,
    reason: 'permission is denied; ingest it again once it can be read',
  },
  {
    name: 'a folder without the permission to read it',
    wrong: 'A folder may not be read.',
    prepare: (folder) => mkdirSync(join(folder, 'in', 'closed'), { mode: 0 }),
    path: 'in/closed',
    reason: 'permission is denied',
  },
  {
    name: 'a folder whose name is not UTF-8',
    wrong: 'The name of a folder is not UTF-8.',
    prepare: (folder) => mkdirSync(Buffer.from(join(folder, 'in', 'latin-\xe9'), 'latin1')),
    path: 'in/latin-\uFFFD',
    reason: 'its name is not UTF-8; use a name in UTF-8',
  },
]

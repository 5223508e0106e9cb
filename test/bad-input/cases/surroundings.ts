import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { takeBackup } from '../../../src/operate/backup/backup.ts'
import type { SurroundingsCase } from '../case.ts'

const ingest = ['ingest', 'new', '--lake', 'lake']
const backup = ['backup', '--lake', 'lake', '--to', 'backups']
const olderStay =
  'Older backups are as they were; make room or give access, and run it again: it goes on where it ended.'
const kept = 'What was committed stays; make room or give access, and run it again.'
const howToMake = (lake: string) =>
  `There is no lake at ${lake}; make one with: ledgerlake ingest PATH... --lake ${lake}`
const otherThings =
  'project is not a lake: it has other things, such as notes.txt, and no table; use a lake or an empty folder.'

export const surroundings: readonly SurroundingsCase[] = [
  {
    name: 'a full disk',
    wrong: 'The disk is full.',
    prepare: (folder) => fill(folder),
    command: ingest,
    sentence: `The lake lake cannot be written: no space is left. ${kept}`,
    exit: 4,
    fileSystemKb: 2048,
  },
  {
    name: 'a limit to the length of files',
    wrong: 'The process may not write files as long as are needed.',
    prepare: () => {},
    command: ingest,
    sentence: `The lake lake cannot be written: a file would be longer than this process may write. ${kept}`,
    exit: 4,
    fileBlocks: 1,
  },
  {
    name: 'a file system that is read-only',
    wrong: 'The file system is read-only.',
    prepare: () => {},
    command: ingest,
    sentence: `The lake lake cannot be written: the file system is read-only: lake/_staging. ${kept}`,
    exit: 4,
    fileSystemKb: 8192,
    isReadOnly: true,
  },
  {
    name: 'a disk without room for a backup',
    wrong: 'The disk has less room than a backup needs.',
    prepare(folder) {
      mkdirSync(join(folder, 'backups', '_unfinished'), { recursive: true })
      mkdirSync(join(folder, 'backups', '_backup.lock'))
      fill(folder)
      rmSync(join(folder, 'new'), { recursive: true })
    },
    command: backup,
    sentence:
      'No space is left in backups/_unfinished: N bytes have to be copied and N are free; make room and run it again.',
    exit: 4,
    fileSystemKb: 2048,
  },
  {
    name: 'a limit to the length of files of a backup',
    wrong: 'The process may not write files as long as those of the lake.',
    prepare: () => {},
    command: backup,
    sentence: `The backup to backups is not complete: a file would be longer than this process may write. ${olderStay}`,
    exit: 4,
    fileBlocks: 1,
  },
  {
    name: 'a folder of backups of somebody else',
    wrong: 'The folder of backups may be read and not written.',
    prepare: (folder) => mkdirSync(join(folder, 'backups'), { mode: 0o555 }),
    command: backup,
    sentence: `The backup to backups is not complete: permission is denied: backups/_backup.lock. ${olderStay}`,
    exit: 4,
    asOther: true,
  },
  {
    name: 'an older backup of somebody else',
    wrong: 'An older backup that is to be removed belongs to somebody else.',
    async prepare(folder) {
      const backups = join(folder, 'backups')
      await takeBackup({ lake: join(folder, 'lake'), to: backups, now: new Date('2026-01-02T03:04:05Z') })
      for (const open of [backups, join(backups, '_backup.lock')]) chmodSync(open, 0o1777)
    },
    command: [...backup, '--keep', '1'],
    sentence:
      'The new backup is complete, but older ones could not be removed: permission is denied: backups/_removed. Give access, or remove them.',
    exit: 4,
    asOther: true,
    isOfOther: true,
  },
  {
    name: 'a backup into the lake',
    wrong: 'The folder of backups lies in the lake.',
    prepare: () => {},
    command: ['backup', '--lake', 'lake', '--to', 'lake/backups'],
    sentence: 'The folder of backups lake/backups lies inside the lake lake; name a folder apart from it.',
    exit: 2,
  },
  {
    name: 'a restore into a lake with data',
    wrong: 'The folder that a backup is restored to has tables.',
    async prepare(folder) {
      await takeBackup({ lake: join(folder, 'lake'), to: join(folder, 'backups') })
    },
    command: ['restore', '--from', 'backups', '--lake', 'lake'],
    sentence:
      'lake is a lake with data, such as iot_reward_shares; use another folder, or --replace to put the tables of the backup in the place of those that are there.',
    exit: 2,
  },
  {
    name: 'a lake of somebody else',
    wrong: 'The lake may be read and not written.',
    prepare: (folder) => chmodSync(join(folder, 'lake', '_staging'), 0o555),
    command: ingest,
    sentence: `The lake lake cannot be written: permission is denied: lake/_staging. ${kept}`,
    exit: 4,
    asOther: true,
  },
  {
    name: 'a table of somebody else',
    wrong: 'The lake may be written, one of its tables may not.',
    prepare(folder) {
      chmodSync(join(folder, 'lake', '_staging'), 0o777)
      chmodSync(join(folder, 'lake', 'iot_reward_shares', 'month=2025-02'), 0o555)
    },
    command: ingest,
    sentence: `The lake lake cannot be written: permission is denied: lake/iot_reward_shares/month=2025-02/part-RUN.parquet. ${kept}`,
    exit: 4,
    asOther: true,
  },
  {
    name: 'a lake that may not be read',
    wrong: 'The folder of the lake may not be read.',
    prepare: (folder) => chmodSync(join(folder, 'lake'), 0),
    command: ['status', '--lake', 'lake'],
    sentence: 'The folder lake cannot be read; give access to it, or use another folder.',
    exit: 4,
    asOther: true,
  },
  {
    name: 'a place where the system makes no folders',
    wrong: 'The lake is to be made where nobody can make a folder.',
    prepare: () => {},
    command: ['ingest', 'new', '--lake', '/proc/lake'],
    sentence: `The lake /proc/lake cannot be written: no such file or folder: /proc/lake. ${kept}`,
    exit: 4,
  },
  {
    name: 'an ingest into a file',
    wrong: 'The path of the lake is a file.',
    prepare: (folder) => writeFileSync(join(folder, 'taken'), ''),
    command: ['ingest', 'new', '--lake', 'taken'],
    sentence: `The lake taken cannot be written: a file is in the place of a folder: taken/_staging. ${kept}`,
    exit: 4,
  },
  ...(['status', 'serve'] as const).flatMap((command): readonly SurroundingsCase[] => [
    {
      name: `${command} of a file`,
      wrong: `\`${command}\` is given a file as its lake.`,
      prepare: (folder) => writeFileSync(join(folder, 'taken'), ''),
      command: [command, '--lake', 'taken'],
      sentence: 'taken is a file; use the folder of a lake.',
      exit: 4,
    },
    {
      name: `${command} of a lake that is not there`,
      wrong: `\`${command}\` is given a lake that does not exist.`,
      prepare: () => {},
      command: [command, '--lake', 'nowhere'],
      sentence: howToMake('nowhere'),
      exit: 4,
    },
    {
      name: `${command} of a folder that is no lake`,
      wrong: `\`${command}\` is given a folder of other things.`,
      prepare(folder) {
        mkdirSync(join(folder, 'project'))
        writeFileSync(join(folder, 'project', 'notes.txt'), '')
      },
      command: [command, '--lake', 'project'],
      sentence: otherThings,
      exit: 4,
    },
    {
      name: `${command} of a table`,
      wrong: `\`${command}\` is given one table of a lake.`,
      prepare: () => {},
      command: [command, '--lake', 'lake/iot_reward_shares'],
      sentence: 'lake/iot_reward_shares is one table; use the lake that it belongs to, lake.',
      exit: 4,
    },
  ]),
  {
    name: 'kinds separated by blanks',
    wrong: 'Several kinds of files are separated by blanks, so that the second is taken for a path.',
    prepare: () => {},
    command: [...ingest, '--only', 'iot_reward_share', 'mobile_reward_share'],
    sentence:
      'There is no path mobile_reward_share, which is a kind; separate kinds by commas: ' +
      '--only iot_reward_share,mobile_reward_share',
    exit: 2,
  },
  {
    name: 'a sample in a place that cannot be written',
    wrong: '`sample` is to write below a file.',
    prepare: (folder) => writeFileSync(join(folder, 'taken'), ''),
    command: ['sample', '--out', 'taken/network', '--days', '1', '--hotspots', '3'],
    sentence:
      'taken/network cannot be written: a file is in the place of a folder: taken/network; use a folder that can be written.',
    exit: 4,
  },
  {
    name: 'a sample where the system makes no folders',
    wrong: '`sample` is to write where nobody can make a folder.',
    prepare: () => {},
    command: ['sample', '--out', '/proc/network', '--days', '1', '--hotspots', '3'],
    sentence:
      '/proc/network cannot be written: no such file or folder: /proc/network; use a folder that can be written.',
    exit: 4,
  },
  {
    name: 'a sample beyond the year 9999',
    wrong: '`sample` is to write days that have no date of four digits.',
    prepare: () => {},
    command: ['sample', '--out', 'network', '--days', '2', '--start', '9999-12-30'],
    sentence: 'start is "9999-12-30" and days is 2; the last day must be at most 9999-12-30',
    exit: 2,
  },
]

/** Writes until nothing more goes onto the disk. */
function fill(folder: string): void {
  for (let bytes = 1 << 20; bytes >= 4096; bytes >>= 1) {
    for (let number = 0; tryWrite(join(folder, `filler-${bytes}-${number}`), bytes); number += 1);
  }
}

function tryWrite(path: string, bytes: number): boolean {
  try {
    writeFileSync(path, Buffer.alloc(bytes))
    return true
  } catch {
    rmSync(path, { force: true })
    return false
  }
}

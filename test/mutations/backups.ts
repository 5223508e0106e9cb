import type { Fault } from './fault.ts'

const backup = ['test/operate/backup/backup.test.ts']
const restore = ['test/operate/backup/restore.test.ts']

export const backupFaults: readonly Fault[] = [
  {
    what: 'a damaged file of the lake is backed up as it is',
    file: 'src/operate/backup/copy-file.ts',
    find: 'if (expected.sha256 === undefined || sha256 === expected.sha256) return',
    replace: 'if (expected !== undefined) return',
    tests: backup,
  },
  {
    what: 'a file that a vacuum removed is left out of the backup',
    file: 'src/operate/backup/copy-table.ts',
    find: "if (outcome === 'gone' && content.files.get(file)?.isLive) throw",
    replace: "if (outcome === 'gone' && expected.bytes < 0) throw",
    tests: backup,
  },
  {
    what: 'a backup copies everything again',
    file: 'src/operate/backup/copy-table.ts',
    find: 'earlier: earlier && join(earlier, content.name, path),',
    replace: 'earlier: undefined,',
    tests: backup,
  },
  {
    what: 'a copy of a lake that had keys is open',
    file: 'src/operate/backup/backup.ts',
    find: '  await copyKeysNeeded(lake, unfinished)\n',
    replace: '',
    tests: backup,
  },
  {
    what: 'a restored log may be another one',
    file: 'src/operate/backup/restore.ts',
    find: 'return copied?.digest !== noted.digest || copied.log !== noted.log',
    replace: 'return copied?.digest !== noted.digest',
    tests: restore,
  },
  {
    what: 'a restore overwrites a lake with data',
    file: 'src/operate/backup/restore.ts',
    find: 'if (tables.length === 0 || replace || unfinished !== undefined) return',
    replace: 'if (tables.length >= 0) return',
    tests: restore,
  },
  {
    what: 'a lake is opened while a restore puts its tables in place',
    file: 'src/lake/snapshot/lake.ts',
    find: 'if (names.includes(basename(restoredFolder(folder))))',
    replace: 'if (names.includes(restoredFolder(folder)))',
    tests: restore,
  },
  {
    what: 'a request whose files were vacuumed is told that the lake is damaged',
    file: 'src/doors/snapshots/served-snapshots.ts',
    find: 'await lookNow()\n      if',
    replace: 'if',
    tests: ['test/doors/snapshots/vacuumed-meanwhile.test.ts'],
  },
  {
    what: 'doctor does not miss a file',
    file: 'src/operate/doctor/access.ts',
    find: 'if (facts === undefined)',
    replace: 'if (facts === null)',
    tests: ['test/operate/doctor/doctor.test.ts'],
  },
]

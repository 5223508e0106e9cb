import type { Fault } from './fault.ts'

const tests = ['test/torture/every-operation.slow.test.ts']

/** What survives a crash, a power cut or a disk that fails. */
export const durabilityFaults: readonly Fault[] = [
  {
    what: 'a data file is not synced before its log entry',
    file: 'src/write/store/amend-table.ts',
    find: '  await syncFile(file.path)\n',
    replace: '',
    tests,
  },
  {
    what: 'the name of a data file is not durable',
    file: 'src/lake/disk/disk.ts',
    find: '  await hardLink(from, to)\n  await syncFolder(dirname(to))\n',
    replace: '  await hardLink(from, to)\n',
    tests,
  },
  {
    what: 'the name of a log entry is not durable',
    file: 'src/lake/disk/disk.ts',
    find: '  await syncFolder(dirname(path))\n  return true\n',
    replace: '  return true\n',
    tests,
  },
  {
    what: 'what is written is not synced before it has its name',
    file: 'src/lake/disk/disk.ts',
    find: '    await handle.writeFile(content)\n    await handle.sync()\n',
    replace: '    await handle.writeFile(content)\n',
    tests,
  },
  {
    what: 'a new folder is not durable',
    file: 'src/lake/disk/disk.ts',
    find: '    await syncFolder(dirname(made))\n',
    replace: '    {}\n',
    tests,
  },
  {
    what: 'a log entry does not wait for its data files',
    file: 'src/write/store/amend-table.ts',
    find: '  await linkInto(file.path',
    replace: '  void linkInto(file.path',
    tests,
  },
  {
    what: 'the key file is written over in place',
    file: 'src/lake/disk/disk.ts',
    find: '  await writeSynced(temporary, content)\n  await moveInto(temporary, path)\n',
    replace: '  void temporary\n  await writeSynced(path, content)\n',
    tests,
  },
  {
    what: 'a key that was given out is not durable',
    file: 'src/lake/disk/disk.ts',
    find: '  await rename(from, to)\n  await syncFolder(dirname(to))\n',
    replace: '  await rename(from, to)\n',
    tests,
  },
  {
    what: 'a full disk is passed over',
    file: 'src/lake/disk/disk.ts',
    find: '    await handle.writeFile(content)\n',
    replace: '    await handle.writeFile(content).catch(() => {})\n',
    tests,
  },
  {
    what: 'the folder of a run stays when it is over',
    file: 'src/write/store/staging.ts',
    find: '      run.release()\n      await clearOrLeave(lake, run.folder)\n',
    replace: '      run.release()\n',
    tests,
  },
  {
    what: 'what a dead run linked stays in the lake',
    file: 'src/lake/vacuum/clear-run.ts',
    find: '!named.has(path)) await rm',
    replace: 'named.size < 0) await rm',
    tests,
  },
  {
    what: 'the names by which linked files are found again are not durable',
    file: 'src/write/store/staging.ts',
    find: '  await syncFolder(dirname(folder))\n',
    replace: '  await Promise.resolve(syncFolder)\n',
    tests,
  },
]

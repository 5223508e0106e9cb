import type { Fault } from './fault.ts'

/** The engine of the single executable: whose folder it trusts, and what it takes for whole. */
export const singleFaults: readonly Fault[] = [
  {
    what: 'a note about a file that was changed since is believed',
    file: 'src/cli/single/unpack.ts',
    find: 'if (textIfThere(note) === state) return true',
    replace: 'if (textIfThere(note)?.startsWith(sha256)) return true',
    tests: ['test/cli/single/unpack.test.ts'],
  },
  {
    what: 'the time of the last change is not compared',
    file: 'src/cli/single/unpack.ts',
    find: "[sha256, dev, ino, size, mtimeNs, ctimeNs].join(' ')",
    replace: "[sha256, dev, ino, size, mtimeNs, ctimeNs - ctimeNs].join(' ')",
    tests: ['test/cli/single/unpack.test.ts'],
  },
  {
    what: 'the part of a process that runs is taken for a leftover',
    file: 'src/cli/single/unpack.ts',
    find: 'return process.kill(pid, 0)',
    replace: 'return pid < 0',
    tests: ['test/cli/single/unpack.test.ts'],
  },
  {
    what: 'folders above may be renamed by everybody',
    file: 'src/cli/single/cache-folder.ts',
    find: 'if ((stats.mode & WRITABLE_BY_ALL) !== 0) throw',
    replace: 'if (!stats.isDirectory()) throw',
    tests: ['test/cli/single/cache-folder.test.ts'],
  },
  {
    what: 'native functions are called on another object',
    file: 'src/cli/single/engine.ts',
    find: "typeof member === 'function' ? member.bind(native) : member",
    replace: "typeof member === 'function' ? member : native && member",
    tests: ['test/cli/single/engine.test.ts'],
  },
]

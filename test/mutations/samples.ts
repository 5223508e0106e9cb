import type { Fault } from './fault.ts'

/** Faults by which the files of a sample would no longer be one network. */
export const sampleFaults: readonly Fault[] = [
  {
    what: 'gateways of the ledger are other hotspots than those of the list',
    file: 'src/write/sample/ledger/addresses.ts',
    find: 'hotspotOf(members.iot.indexOf(number)).key',
    replace: 'hotspotOf(number + 1).key',
    tests: ['test/write/sample/one-network.test.ts'],
  },
  {
    what: 'the price of an old token is a hundredth of what the pool is worth',
    file: 'src/write/sample/economy.ts',
    find: '(main * ratio) / 1e4',
    replace: '(main * ratio) / 1e6',
    tests: ['test/write/sample/one-network.test.ts'],
  },
  {
    what: 'what rounding leaves of the pool for data is paid to nobody',
    file: 'src/write/sample/mobile-epoch.ts',
    find: '        unpaid -= reward\n',
    replace: '        unpaid -= reward + 1n\n',
    tests: ['test/write/sample/one-network.test.ts'],
  },
  {
    what: 'a late file is not late',
    file: 'src/write/sample/write-sample-network.ts',
    find: 'isLate && part === SHARE_FILES_A_DAY - 1 ?',
    replace: 'isLate && part === SHARE_FILES_A_DAY ?',
    tests: ['test/write/sample/one-network.test.ts'],
  },
  {
    what: 'a sample replaces a file with other bytes',
    file: 'src/write/sample/whole-file.ts',
    find: 'if (!(await isPresent(path))) await rename',
    replace: 'if (path !== "") await rename',
    tests: ['test/write/sample/frame-file.test.ts'],
  },
]

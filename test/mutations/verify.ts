import type { Fault } from './fault.ts'

const verify = ['test/operate/verify/verify.test.ts']
const log = ['test/operate/verify/log-against-files.slow.test.ts']
const footers = ['test/operate/verify/footers.test.ts']
const repair = ['test/operate/verify/repair.slow.test.ts']

export const verifyFaults: readonly Fault[] = [
  {
    what: 'a footer without a column of its table counts as sound',
    file: 'src/operate/verify/footer/compare-footer.ts',
    find: 'if (isExpected && type === undefined)',
    replace: 'if (isExpected && type === null)',
    tests: footers,
  },
  {
    what: 'row groups of a footer need not have all its rows',
    file: 'src/operate/verify/footer/compare-footer.ts',
    find: 'inGroups !== footer.rows',
    replace: 'inGroups > footer.rows',
    tests: footers,
  },
  {
    what: 'data files are believed to have the digest of the log',
    file: 'src/operate/verify/data-checks.ts',
    find: 'return actual === sha256 ?',
    replace: 'return actual.length > 0 ?',
    tests: verify,
  },
  {
    what: 'the statistics of the log are not compared',
    file: 'src/operate/verify/data-checks.ts',
    find: 'said !== undefined && said !== stats',
    replace: 'said !== undefined && said === stats.slice(1)',
    tests: log,
  },
  {
    what: 'a checkpoint is not compared with the entries',
    file: 'src/operate/verify/log-checks.ts',
    find: '(expectedState !== undefined && stateDigest(checkpoint.log) !== expectedState)',
    replace: "expectedState === ''",
    tests: verify,
  },
  {
    what: 'what is derived is not compared with the lake',
    file: 'src/operate/verify/verify.ts',
    find: '      ...(await this.#compareDerived(inventory, hasFault, isSound)),\n',
    replace: '',
    tests: verify,
  },
  {
    what: 'a file of a copy is taken by its length',
    file: 'src/operate/verify/copies.ts',
    find: 'if ((await hashFile(temporary)) !== sha256) continue',
    replace: 'if ((await hashFile(temporary)) === sha256?.slice(1)) continue',
    tests: repair,
  },
  {
    what: 'an entry is taken from a copy that shares the beginning of the log alone',
    file: 'src/operate/verify/same-log.ts',
    find: 'isFollowed ||= otherVersion > version',
    replace: 'isFollowed ||= otherVersion !== version',
    tests: ['test/operate/verify/foreign-copies.test.ts'],
  },
  {
    what: 'a log is taken that does not name a file that is here',
    file: 'src/operate/verify/copies.ts',
    find: 'if (unnamed.length > 0)',
    replace: 'if (unnamed.length === files.length + 1)',
    tests: ['test/operate/verify/foreign-copies.test.ts'],
  },
  {
    what: 'a lost key file is not looked for',
    file: 'src/operate/verify/verify.ts',
    find: '      ...(await checkLostKeys(this.#target, displayPath(this.#target.keyFile))),\n',
    replace: '',
    tests: ['test/operate/verify/lost-keys.test.ts'],
  },
  {
    what: 'a file whose bytes are sound is removed when it is written anew',
    file: 'src/write/ingest/rebuild.ts',
    find: 'if ((await hashFile(path).catch(() => undefined)) !== sha256)',
    replace: 'if (sha256.length > 0)',
    tests: ['test/operate/verify/repair-in-part.slow.test.ts'],
  },
  {
    what: 'a repair removes checkpoints behind damaged entries',
    file: 'src/operate/verify/repair.ts',
    find: 'if (!isWhole) {',
    replace: "if (!isWhole && folder === '') {",
    tests: ['test/operate/verify/repair-in-part.slow.test.ts'],
  },
  {
    what: 'a file is decoded again without all of its sources',
    file: 'src/write/ingest/rebuild.ts',
    find: 'if (missing.length > 0)',
    replace: 'if (missing.length === sources.length)',
    tests: repair,
  },
]

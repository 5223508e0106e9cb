import type { Fault } from './fault.ts'

const lakes = ['test/operate/follow/lake-in-bucket.test.ts']
const files = ['test/operate/follow/copied-files.test.ts']
const cores = ['test/operate/follow/follow.test.ts']

/** Copies of lakes in buckets: what counts there, what comes here, and in which order. */
export const bucketFaults: readonly Fault[] = [
  {
    what: 'a log entry replaces the one that another writer has created',
    file: 'src/operate/object-store/s3/s3-writable-store.ts',
    find: "{ IfNoneMatch: '*' }",
    replace: '{}',
    tests: lakes,
  },
  {
    what: 'a store that ignores If-None-Match is trusted',
    file: 'src/operate/follow/prove-create.ts',
    find: 'if (!(await create()) || !(await create())) return',
    replace: 'await create()\n    return',
    tests: ['test/operate/follow/prove-create.test.ts'],
  },
  {
    what: 'a compaction counts row groups of files that are not here',
    file: 'src/write/compact/read-footer.ts',
    find: 'if (remote === undefined) return await',
    replace: 'if (remote !== null) return await',
    tests: lakes,
  },
  {
    what: 'an entry whose reply was lost counts as that of somebody else',
    file: 'src/operate/follow/bucket-remote.ts',
    find: "if (there?.bytes.toString('utf8') === text) return true",
    replace: '',
    tests: lakes,
  },
  {
    what: 'a copy that lost a race is not told what won',
    file: 'src/operate/follow/bucket-remote.ts',
    find: 'origin.invalidate()',
    replace: '',
    tests: lakes,
  },
  {
    what: 'files are not sent before the entry that names them',
    file: 'src/write/store/amend-table.ts',
    find: "await remote?.send(resource.name, [path, factsPath('', facts.digest)])",
    replace: '',
    tests: lakes,
  },
  {
    what: 'an entry is linked here before it is in the bucket',
    file: 'src/write/store/amend-table.ts',
    find: 'if (!(await remote.create(resource.name, version, text))) return false',
    replace:
      'await here(version, text)\n    if (!(await remote.create(resource.name, version, text))) return false',
    tests: lakes,
  },
  {
    what: 'news are told by listings alone',
    file: 'src/operate/follow/bucket-remote.ts',
    find: 'versions[resource.name] = version',
    replace: 'versions[resource.name] = 0',
    tests: lakes,
  },
  {
    what: 'commits of which nobody told are never listed',
    file: 'src/operate/follow/bucket-origin.ts',
    find: 'if (performance.now() - listedAt >= LIST_AGAIN_MS) await list(signal)',
    replace: 'if (listedAt === 0) await list(signal)',
    tests: lakes,
  },
  {
    what: 'a vacuum removes files that another run has just sent',
    file: 'src/lake/vacuum/vacuum.ts',
    find: 'isCopy ? Math.max(keepMs, INCOMING_MS) : keepMs',
    replace: 'keepMs',
    tests: [...lakes, 'test/operate/follow/sharing-origin.test.ts'],
  },
  {
    what: 'a vacuum leaves the facts in the bucket',
    file: 'src/operate/follow/files-in-bucket.ts',
    find: '[...paths, ...facts].map',
    replace: '[...paths].map',
    tests: lakes,
  },
  {
    what: 'a copy takes commits of its own',
    file: 'src/write/store/store.ts',
    find: 'if (mark?.url === remote?.url) return',
    replace: 'if (mark?.url !== "") return',
    tests: files,
  },
  {
    what: 'a damaged file of a copy stays damaged',
    file: 'src/lake/integrity/file-checker.ts',
    find: 'await bring(file)',
    replace: 'if (verdict.fingerprint === undefined) await bring(file)',
    tests: files,
  },
  {
    what: 'files that were just used make room',
    file: 'src/operate/follow/make-room.ts',
    find: 'if (excess <= 0 || now - file.usedAt < JUST_USED_MS) return',
    replace: 'if (excess <= 0) return',
    tests: files,
  },
  {
    what: 'files that were read last make room first',
    file: 'src/operate/follow/make-room.ts',
    find: 'a.usedAt - b.usedAt',
    replace: 'b.usedAt - a.usedAt',
    tests: files,
  },
  {
    what: 'bytes that came are linked unseen',
    file: 'src/operate/follow/bring-file.ts',
    find: 'if (actual === file.sha256) return undefined',
    replace: 'if (actual.length > 0) return undefined',
    tests: cores,
  },
  {
    what: 'a file that broke off is fetched from its beginning',
    file: 'src/operate/follow/bring-file.ts',
    find: 'await origin.read(file, sink.bytes(), signal)',
    replace: 'await origin.read(file, 0, signal)',
    tests: cores,
  },
  {
    what: 'entries are linked before their files are there',
    file: 'src/operate/follow/follow.ts',
    find: 'const files = await bringAll(request, commits, begun)',
    replace: 'const files = await bringAll(request, [], begun)',
    tests: cores,
  },
  {
    what: 'a log that begins otherwise is gone on with',
    file: 'src/operate/follow/read-new-commits.ts',
    find: 'if (newestHere >= 0 && texts.shift() !==',
    replace: 'if (newestHere >= 0 && texts.shift() === undefined &&  "" !==',
    tests: cores,
  },
]

import type { Fault } from './fault.ts'

const room = 'src/operate/sync'
const tests = ['test/operate/sync/sync-bucket.test.ts']
const left = ['test/operate/sync/left-objects.test.ts']

/** Buckets: what is paid for, what is continued, and what is listed again. */
export const syncFaults: readonly Fault[] = [
  {
    what: 'reads are not counted before they are sent',
    file: `${room}/counted-store.ts`,
    find: 'await this.#spending.read(object.bytes - from)\n',
    replace: '\n',
    tests,
  },
  {
    what: 'an object that was refused is forgotten once no listing names it',
    file: `${room}/compare-bucket.ts`,
    find: 'const candidates = [...listed, ...objects.flatMap(toArtifactObjects)]',
    replace: 'const candidates = listed',
    tests: left,
  },
  {
    what: 'a run that ends while it ingests forgets what was refused before',
    file: `${room}/fetch-and-ingest.ts`,
    find: "fetched[object.key] = { etag: '', reason }",
    replace: 'fetched[object.key] = { etag: object.etag }',
    tests: left,
  },
  {
    what: 'the reply of a store is read without an end',
    file: 'src/operate/object-store/limit-body.ts',
    find: 'bytes += chunk.length',
    replace: '',
    tests: ['test/operate/object-store/endless-replies.test.ts'],
  },
  {
    what: 'answers that will not change are asked for again',
    file: 'src/operate/object-store/passing-faults.ts',
    find: 'return passingStatuses.has(status)',
    replace: 'return status >= 400',
    tests: ['test/operate/object-store/what-passes.test.ts'],
  },
  {
    what: 'requests at the same time share what is left of the budget',
    file: `${room}/spending.ts`,
    find: 'this.#now = addUsage(this.#now, usage)\n    await this.#file.appendFile(',
    replace: 'setImmediate(() => (this.#now = addUsage(this.#now, usage)))\n    await this.#file.appendFile(',
    tests,
  },
  {
    what: 'each run has the whole budget',
    file: `${room}/spending.ts`,
    find: 'const before = await readSpent(folder)',
    replace: 'const before = nothingUsed',
    tests,
  },
  {
    what: 'what was sent and did not arrive is taken back',
    file: `${room}/spending.ts`,
    find: '1n << 26n',
    replace: '1n << 10n',
    tests: ['test/operate/sync/counted-store.test.ts'],
  },
  {
    what: 'an answer with an error counts as all bytes of the object',
    file: `${room}/counted-store.ts`,
    find: '- sink.bytes(), isReply)',
    replace: '- sink.bytes(), isReply && from < 0)',
    tests: ['test/operate/sync/counted-store.test.ts'],
  },
  {
    what: 'an estimate leaves out the listings of the run',
    file: `${room}/prices.ts`,
    find: 'const usage = { lists: looked.lists,',
    replace: 'const usage = { lists: 0,',
    tests,
  },
  {
    what: 'what was fetched of an object is taken for another with the same key',
    file: `${room}/download-object.ts`,
    find: '{etag}`)',
    replace: '{etag.length}`)',
    tests,
  },
  {
    what: 'bytes that were damaged on the way are taken',
    file: `${room}/download-object.ts`,
    find: 'return actual === md5 ? undefined',
    replace: "return actual !== '' ? undefined",
    tests,
  },
  {
    what: 'whole files of a killed run are fetched again',
    file: `${room}/download-object.ts`,
    find: 'if (!neededNames.has(name)) await rm(',
    replace: 'if (neededNames.size >= 0) await rm(',
    tests,
  },
  {
    what: 'the part of an object that changed stays',
    file: `${room}/fetch-batch.ts`,
    find: 'await removeFetched(places, object)',
    replace: '',
    tests,
  },
  {
    what: 'what came late under an older name is not listed',
    file: `${room}/compare-with-lake.ts`,
    find: 'covered.untilMs - overlapMs',
    replace: 'covered.untilMs',
    tests,
  },
  {
    what: 'what could not be fetched is not listed again',
    file: `${room}/covered.ts`,
    find: 'createdMs < series.untilMs)',
    replace: 'createdMs > series.untilMs)',
    tests,
  },
  {
    what: 'a run that is killed while it ingests does not know what it ingested',
    file: `${room}/fetch-and-ingest.ts`,
    find: 'if (!replaced.has(object.key)) fetched',
    replace: 'if (replaced.has(object.key)) fetched',
    tests,
  },
  {
    what: 'rows are taken for replaced before they are',
    file: `${room}/fetch-and-ingest.ts`,
    find: 'if (!replaced.has(object.key)) fetched',
    replace: 'fetched',
    tests,
  },
  {
    what: 'a key leads out of the folder of a run',
    file: `${room}/compare-with-lake.ts`,
    find: "segment === '..'",
    replace: "segment === '...'",
    tests,
  },
]

import type { Fault } from './fault.ts'

/** Shared tables: who gets them, which files, and what an address is good for. */
export const sharingFaults: readonly Fault[] = [
  {
    what: 'an address never expires',
    file: 'src/server/sharing/signed-address.ts',
    find: 'if (now < file.expires) return file',
    replace: 'if (now > 0) return file',
    tests: ['test/sharing/files.test.ts'],
  },
  {
    what: 'the digest of an address is not signed',
    file: 'src/server/sharing/signed-address.ts',
    find: "['file', table, path, sha256, bytes, recipient, expires]",
    replace: "['file', table, path, bytes, recipient, expires]",
    tests: ['test/sharing/files.test.ts'],
  },
  {
    what: 'a key that was revoked can still fetch files',
    file: 'src/server/sharing/file-route.ts',
    find: 'requireStill(file.recipient, context)',
    replace: '',
    tests: ['test/sharing/recipients.test.ts'],
  },
  {
    what: 'a key with a look-back gets whole tables if its file says so',
    file: 'src/server/sharing/recipient.ts',
    find: 'if (refused !== undefined) fail',
    replace: 'if (refused === "") fail',
    tests: ['test/sharing/recipients.test.ts'],
  },
  {
    what: 'a limit counts rows that may not match',
    file: 'src/server/sharing/chosen-files.ts',
    find: 'if (!no && !none) certain',
    replace: 'certain',
    tests: ['test/sharing/hints.test.ts'],
  },
  {
    what: 'a file whose greatest value is the one asked for is left out',
    file: 'src/server/sharing/predicate.ts',
    find: 'return { yes: most >= 0, no: least < 0 }',
    replace: 'return { yes: most > 0, no: least < 0 }',
    tests: ['test/sharing/hints.test.ts'],
  },
  {
    what: 'rejects is shared',
    file: 'src/server/sharing/shared-tables.ts',
    find: 'return rest !== undefined || graphql !== undefined',
    replace: 'return rest !== null || graphql !== null',
    tests: ['test/sharing/protocol.test.ts', 'test/sharing/files.test.ts'],
  },
  {
    what: 'a version that another server has told is unknown until this one has looked',
    file: 'src/server/pinned-snapshots.ts',
    find: 'const id = await lake.idAt(new Map([[resource, version]]), signal)',
    replace:
      'const id = version < newest.table(resource).version ? await lake.idAt(new Map([[resource, version]]), signal) : undefined',
    tests: ['test/server/several-servers.test.ts'],
  },
  {
    what: 'a snapshot that this server has not looked for is unknown',
    file: 'src/server/pinned-snapshots.ts',
    find: 'const snapshot = id && (await withId(id, signal))',
    replace: 'const snapshot = id && remembered.get(id)',
    tests: ['test/server/several-servers.test.ts'],
  },
  {
    what: 'processes of one number share the name of an unfinished secret',
    file: 'src/keys/share-secret.ts',
    find: 'randomUUID()}.tmp',
    replace: 'process.pid}.tmp',
    tests: ['test/keys/share-secret.test.ts'],
  },
]

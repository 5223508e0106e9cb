import promises from 'node:fs/promises'
import { relative } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { makers } from '../../../src/catalog/l2/makers.ts'
import { type CheckedFiles, openCheckedFiles } from '../../../src/lake/integrity/checked-files.ts'
import { keepChecked } from '../../../src/lake/integrity/keep-checked.ts'
import type { Verdict } from '../../../src/lake/integrity/verdict.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'

/** The file that the system refuses to read, and with which code. */
let refused: { path: string; code: string } | undefined

replaceBuiltin(promises, (real) => ({
  readFile: (async (...args: Parameters<typeof real.readFile>) => {
    if (args[0] !== refused?.path) return await real.readFile(...args)
    throw Object.assign(new Error(`${refused.code}: refused`), { code: refused.code })
  }) as typeof real.readFile,
}))

let told: Verdict[] = []
let unread: string[] = []
let checked: CheckedFiles

beforeEach(() => {
  refused = undefined
  ;[told, unread] = [[], []]
  const onVerdict = (verdict: Verdict) => told.push(verdict)
  const onUnread = (error: Error) => unread.push(error.message)
  checked = openCheckedFiles({ lake: '/proc', onVerdict, onUnread })
})

describe('a file that the system cannot read', () => {
  it.runIf(process.platform === 'linux')(
    'is not reported as damaged, because a later read may succeed',
    async () => {
      // Reading from its beginning is an input or output error, as of a disk that fails.
      const file = { path: '/proc/self/mem', bytes: 0, sha256: 'any' }
      const message =
        'self/mem of the lake cannot be read now: the disk reports an input or output error. Ask again in a moment.'
      for (let times = 0; times < 2; times += 1)
        await expect(checked.read([file], async () => 'read')).rejects.toMatchObject({
          code: 'not_ready',
          message,
        })
      await expect(checked.check(file)).rejects.toThrow(message)
      expect(told).toEqual([])
      expect(checked.verdicts.latest(file.path)).toBeUndefined()
      expect(unread).toEqual([message])
    },
  )

  it.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO'])(
    'because of %s makes responses that need it 503 with Retry-After',
    async (code) => {
      const lake = await smallLake()
      const server = await buildTestServer(lake)
      const [{ path }] = some((await new Lake(lake).latest()).table(makers).files)
      refused = { path, code }
      const { status, headers, text } = await server.get('/l2/makers')
      expect([status, headers['retry-after']]).toEqual([503, '5'])
      expect(text).toContain(`${relative(lake, path)} of the lake cannot be read now: `)
      refused = undefined
      expect((await server.get('/l2/makers')).status).toBe(200)
    },
  )

  it('is reported as damaged if it has disappeared', async () => {
    const lake = await smallLake()
    const server = await buildTestServer(lake)
    const [{ path }] = some((await new Lake(lake).latest()).table(makers).files)
    refused = { path, code: 'ENOENT' }
    expect(JSON.parse((await server.get('/l2/makers')).text)).toMatchObject({ code: 'lake_damaged' })
  })

  it('does not stop the background check of other files', async () => {
    const at = await new Lake(await smallLake()).latest()
    const files = some(at.tables.flatMap((table) => table.files))
    refused = { path: files[0].path, code: 'EIO' }
    const errors: unknown[] = []
    const scrub = { bytesPerSecond: 2 ** 30, periodMs: 0, lookAgainMs: 5 }
    const { close } = keepChecked(
      checked,
      () => at,
      scrub,
      (error) => errors.push(error),
    )
    onTestFinished(close)
    const looked = () => new Set(told.map(({ file }) => file.path)).size
    await expect.poll(looked).toBe(files.length - 1)
    refused = undefined
    await expect.poll(looked).toBe(files.length)
    expect([errors, unread.length]).toEqual([[], 1])
  })
})

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isFault } from '../../../src/operate/verify/finding.ts'
import { makeLake, thirtyShares } from '../../support/lakes/make-lake.ts'
import { verifierOf } from '../../support/lakes/sound-lake.ts'
import { entryPath, rewriteEntry } from '../../support/tables/log-entries.ts'

const TABLE = 'iot_reward_shares'

it('verify reports each damaged file in a batch of small files, even if another file is unreadable', async () => {
  const { folder, add } = await makeLake({ 'iot/iot_reward_share.1.gz': thirtyShares('2025-01-11') })
  for (const day of [12, 13, 14])
    await add({ [`iot/iot_reward_share.${day}.gz`]: thirtyShares(`2025-01-${day}`) })
  const paths: string[] = []
  /** Has an entry say something else of the file that it adds. */
  const say = (version: number, change: (own: Record<string, unknown>) => object) =>
    rewriteEntry(entryPath(join(folder, TABLE), version), (actions) =>
      actions.map((action) => {
        if (action.add === undefined) return action
        paths.push(`${TABLE}/${action.add.path}`)
        return { add: { ...action.add, ...change(action.add) } }
      }),
    )
  const faults = async () => (await (await verifierOf(folder)).verify()).findings.filter(isFault)

  say(1, ({ stats }) => ({ stats: String(stats).replace('"source_file":0', '"source_file":1') }))
  expect(await faults()).toEqual([
    expect.objectContaining({
      file: paths[0],
      what: expect.stringMatching(/^Its statistics in the log differ/),
    }),
  ])

  say(2, ({ path, tags }) => {
    const file = join(folder, TABLE, String(path))
    const bytes = readFileSync(file)
    // Rows are garbage before a sound footer.
    bytes.fill('no rows', 4, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8))
    writeFileSync(file, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { tags: { ...(tags as object), 'ledgerlake.sha256': sha256 } }
  })
  expect((await faults()).map(({ file, what }) => [file, what.slice(0, 18)]).sort()).toEqual(
    [
      [paths[0], 'Its statistics in '],
      [paths[1], 'It cannot be read:'],
    ].sort(),
  )
})

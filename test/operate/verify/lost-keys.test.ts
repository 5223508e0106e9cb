import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { soundLake } from '../../support/lakes/sound-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let sound = ''
let lake = ''

beforeAll(async () => {
  sound = await soundLake()
})

beforeEach(async () => {
  lake = join(await temporaryFolder(), 'lake')
  cpSync(sound, lake, { recursive: true, preserveTimestamps: true })
})

const verify = async (...args: readonly string[]) => {
  const { code, stdout } = await runMain(['verify', '--lake', lake, '--json', ...args])
  const { findings }: { findings: readonly { level: string; file: string; what: string }[] } =
    JSON.parse(stdout)
  return { code, faults: findings.filter(({ level }) => level === 'fault') }
}

const missing = (file: string) =>
  expect.objectContaining({
    kind: 'keys',
    file,
    what: 'It is missing although requests to this lake need a key, so every request is refused.',
  })

it.each(['_keys/keys.ndjson', '_keys'])(
  'verify ends with 4 if the keys of a lake are required but missing: %s is gone',
  async (gone) => {
    rmSync(join(lake, gone), { recursive: true })
    expect(await verify()).toEqual({ code: 4, faults: [missing('_keys/keys.ndjson')] })
  },
)

it('verify does not require keys that were turned off, and reports a missing file of --keys', async () => {
  for (const name of ['_keys', '_keys_needed']) rmSync(join(lake, name), { recursive: true })
  expect(await verify()).toEqual({ code: 0, faults: [] })
  const elsewhere = join(dirname(lake), 'keys.ndjson')
  expect(await verify('--keys', elsewhere)).toEqual({ code: 4, faults: [missing(elsewhere)] })
})

it('verify reads the file of --keys, however its path is written, and no other file of that folder', async () => {
  const folder = join(dirname(lake), 'own')
  mkdirSync(join(folder, 'more'), { recursive: true })
  renameSync(join(lake, '_keys', 'keys.ndjson'), join(folder, 'keys.ndjson'))
  rmSync(join(lake, '_keys_needed'))
  writeFileSync(join(folder, 'more', 'keys.ndjson'), 'no key')
  expect(await verify('--keys', `${folder}/more/../keys.ndjson`)).toEqual({ code: 0, faults: [] })
  writeFileSync(join(folder, 'keys.ndjson'), 'no key\n')
  const { code, faults } = await verify('--keys', `${folder}//keys.ndjson`)
  expect([code, faults.map(({ file }) => file)]).toEqual([4, [join(folder, 'keys.ndjson')]])
})

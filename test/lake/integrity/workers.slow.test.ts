import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { startServing } from '../../support/servers/run-program.ts'
import { askEachWorker, workersOf } from '../../support/servers/workers.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const path = '/v1/net/l2/iot-reward-shares?from=2019-01-01&to=2027-01-01&per_page=5'

it('workers share their findings: each refuses a damaged file, and the log has one line for it', async () => {
  const lake = await smallLake()
  const flags = ['--lake', lake, '--port', '0', '--workers', '2', '--answer-memory-mb', '0']
  const { address, child, finished, stderr } = await startServing(flags, { cwd: await temporaryFolder() })
  const workers = workersOf(child.pid)
  expect(workers).toHaveLength(2)
  const ask = async () => [...(await askEachWorker(address, workers, path)).values()]
  const metrics = async () => await (await fetch(`${address}/metrics`)).text()
  const [sound] = some(await ask())
  const [file] = some((await new Lake(lake).latest()).table(iotRewardShares).files)
  const whole = readFileSync(file.path)
  writeFileSync(file.path, Buffer.from(whole).fill(whole.readUInt8(90) ^ 1, 90, 91))
  const name = relative(lake, file.path)
  for (const body of some(await ask()))
    expect(JSON.parse(body).error).toContain(`${name} of the lake is damaged`)
  expect(await metrics()).toMatch(/^ledgerlake_damaged_files 1$/m)
  writeFileSync(file.path, whole)
  expect(new Set(await ask())).toEqual(new Set([sound]))
  await expect.poll(metrics).toMatch(/^ledgerlake_damaged_files 0$/m)
  await expect.poll(metrics).toMatch(/^ledgerlake_unchecked_files 0$/m)
  child.kill('SIGTERM')
  await finished
  const lines = stderr()
    .split('\n')
    .filter((line) => line.includes(name))
    .map((line) => JSON.parse(line) as { level: string; msg: string })
  expect(lines).toMatchObject([
    {
      level: 'error',
      msg: expect.stringContaining(`${name} of the lake is damaged: its SHA-256 is another one.`),
    },
    { level: 'warn', msg: `${name} of the lake is sound again.` },
  ])
})

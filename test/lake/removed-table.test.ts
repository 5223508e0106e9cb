import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { resourceNamed, resources } from '../../src/catalog/resources.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { askAgain, keptBodies, keptLakes } from '../support/lakes/kept-lakes.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

/** A build whose catalog has one table less. */
vi.mock('../../src/catalog/resources.ts', async (importOriginal) => {
  const whole = await importOriginal<typeof import('../../src/catalog/resources.ts')>()
  const left = whole.resources.filter(({ name }) => name !== 'l1_packets')
  return {
    ...whole,
    resources: left,
    resourceNamed: (name: string) => left.find((resource) => resource.name === name),
  }
})

let server: TestServer | undefined
afterEach(() => server?.close())

// The oldest one in npm test, each of them in the slow tier.
describe.each(scaled(keptLakes.slice(0, 1), keptLakes))(
  'over a lake of $format, a build that no longer declares one of its tables',
  ({ answers, snapshots, copyTo }) => {
    it('answers all other requests as before, including older snapshots', async () => {
      const home = await temporaryFolder()
      copyTo(home)
      server = await buildTestServer(join(home, 'lake'))
      const others = answers.filter(({ path }) => path?.startsWith('/l1/packets') !== true)
      expect(others.filter(({ path }) => path?.includes('as_of')).length).toBeGreaterThan(15)
      expect(answers.length - others.length).toBeGreaterThan(0)
      expect(resourceNamed('l1_packets')).toBeUndefined()
      expect(await askAgain(server, others)).toEqual(keptBodies(others))
      expect((await server.get('/l1/packets')).status).toBe(404)
    })

    it('resolves every earlier snapshot id to an id without that table', async () => {
      const home = await temporaryFolder()
      copyTo(home)
      const lake = new Lake(join(home, 'lake'))
      const { id, tables } = await lake.latest()
      expect(tables).toHaveLength(resources.length)
      const known = await Promise.all(snapshots.map((given) => lake.idOf(given)))
      expect(known).toHaveLength(4)
      expect(known.at(-1)).toBe(id)
      for (const own of known) expect((await lake.at(String(own)))?.id).toBe(own)
      // The last digit of the digest is another one.
      const altered = known.map((own) => String(own).replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))
      expect(await Promise.all(altered.map((own) => lake.idOf(own)))).toEqual(known.map(() => undefined))
    })
  },
)

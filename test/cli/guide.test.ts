import { expect, it } from 'vitest'
import { guidePage } from '../../src/doors/guide/layout.ts'
import { openSite } from '../../src/doors/guide/site.ts'
import { guideTexts } from '../../src/doors/guide/texts.ts'
import { startServing } from '../support/run-program.ts'
import { smallLake } from '../support/small-lake.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('serves the guides that were there when it was built, without the repository', async () => {
  const cwd = await temporaryFolder()
  const { address } = await startServing(['--lake', await smallLake(), '--port', '0'], { cwd })
  const of = (name: string) => `/guide${name === '' ? '' : `/${name}`}`
  const site = openSite(guideTexts(), of)
  const beside = [
    ['ledgerlake', '/'],
    ['API reference', '/docs'],
  ] as const
  for (const name of ['', 'asking', 'source/docs/reference/schema.graphql']) {
    const page = site.page(name) ?? expect.unreachable()
    const served = await (await fetch(address + of(name))).text()
    expect(served).toBe(guidePage(site, page, { address: of, links: beside }))
  }
})

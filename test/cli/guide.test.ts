import { expect, it } from 'vitest'
import { servedGuide } from '../../scripts/docs.ts'
import { ANY_BASE } from '../../src/doors/guide/pages.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { startServing } from '../support/servers/run-program.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('the program serves the guides of its build without the repository', async () => {
  const cwd = await temporaryFolder()
  const { address } = await startServing(['--lake', await smallLake(), '--port', '0'], { cwd })
  const { policy, pages, pictures } = servedGuide()
  const htmlOf = new Map(pages)
  for (const name of ['', 'asking', 'search', 'source/docs/reference/schema.graphql']) {
    const html = htmlOf.get(name) ?? expect.unreachable()
    const response = await fetch(`${address}/guide${name === '' ? '' : `/${name}`}`)
    expect(await response.text()).toBe(html.replaceAll(ANY_BASE, ''))
    expect(response.headers.get('content-security-policy')).toBe(policy)
  }
  for (const [name, base64] of some(pictures)) {
    const response = await fetch(`${address}/guide/${name}`)
    expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(base64)
  }
})

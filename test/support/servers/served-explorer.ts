import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { builtExplorer } from '../build-explorer.ts'
import { smallLake } from '../lakes/small-lake.ts'
import { openBrowser } from './browser.ts'
import { buildTestServer } from './build-test-server.ts'
import { openExplorer, type PageOptions, type Watched } from './explorer-page.ts'

/** The pages over the small network, and a browser. */
interface ServedExplorer {
  readonly lake: string
  readonly address: string
  readonly browser: Browser
  /** Opens a page of the explorer by its path. */
  open(path: string, options?: PageOptions): Promise<Watched>
}

/** Serves the pages while the tests of a describe run. */
export function servedExplorer(): ServedExplorer {
  let [lake, address] = ['', '']
  let browser: Browser
  beforeAll(async () => {
    lake = await smallLake()
    const { server } = await buildTestServer(lake, 60_000, undefined, { explorer: await builtExplorer() })
    address = await server.listen({ host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
  })
  return {
    get lake() {
      return lake
    },
    get address() {
      return address
    },
    get browser() {
      return browser
    },
    open: (path, options) => openExplorer(browser, address + path, options),
  }
}

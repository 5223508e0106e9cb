import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { program, runToEnd, startServing } from '../bench/support/program.ts'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'
import { openBrowser, settleExplorer } from '../test/support/servers/browser.ts'
import { sampleCommands } from './prepare.mjs'

/** Takes the pictures of the explorer in docs/images, of the sample network: npm run screenshots. */

/** Hotspots of one owner; the first is in both networks. */
const hotspot = '11QVwiPVwMkXLcnLbGeSmsRL31pYxJRLsb1iQGjsrUJXWRer41m'
const fleet = [
  hotspot,
  '1122FowZSLuyhTp8rzRmB3e5rRtD9CWYuegpbREhQRYq7iXWLKE4',
  '112Ay3UHDj1CmsG3j29EVwMnQeyWNiTnBRGy75WwoMfVczfKMzK1',
]

interface Picture {
  readonly name: string
  readonly path: string
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
}

const desktop = { width: 1200, height: 980 } as const
const phone = { width: 390, height: 1340 } as const

const pictures: readonly Picture[] = [
  { name: 'network', path: '/', ...desktop, colorScheme: 'light' },
  { name: 'hotspot', path: `/hotspot/${hotspot}`, ...desktop, colorScheme: 'light' },
  { name: 'hotspot-phone', path: `/hotspot/${hotspot}`, ...phone, colorScheme: 'light' },
  { name: 'fleet', path: `/fleet?keys=${fleet}`, ...desktop, height: 1190, colorScheme: 'dark' },
]

const images = fileURLToPath(new URL('../docs/images/', import.meta.url))
const folder = temporaryFolder()
const [network, lake] = [join(folder, 'network'), join(folder, 'lake')]
for (const args of sampleCommands(network)) await runToEnd([program, ...args])
await runToEnd([program, 'ingest', network, '--lake', lake])
const server = await startServing([program, 'serve', '--lake', lake, '--port', '0', '--workers', '1'])
const browser = await openBrowser()
mkdirSync(images, { recursive: true })
for (const { name, path, width, height, colorScheme } of pictures) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme })
  await page.goto(server.address + path)
  await page.locator('.chart canvas').first().waitFor()
  await settleExplorer(page)
  const file = `${images}${name}.png`
  await page.screenshot({ path: file, animations: 'disabled' })
  console.log(`${Math.ceil(statSync(file).size / 1024)} KB: docs/images/${name}.png`)
  await page.close()
}
await browser.close()
await server.stop()

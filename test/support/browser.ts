import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A browser that the system has; undefined where there is none. */
export const browserPath = candidates.find((path) => existsSync(path))

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

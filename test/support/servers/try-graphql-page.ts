import { expect } from 'vitest'
import { cleanUp } from '../clean-up.ts'
import { openBrowser } from './browser.ts'
import { watch } from './explorer-page.ts'

/** Opens the page for GraphQL of a server that holds IoT rewards in a browser: it reads the schema, answers, and asks nobody else. */
export async function tryGraphqlPage(address: string): Promise<void> {
  const browser = await openBrowser()
  cleanUp(() => browser.close())
  const page = await browser.newPage()
  const { asked, complaints } = watch(page)

  await page.goto(`${address}/graphql`)
  await page.getByLabel('Schema of the server').getByText('type Query {').waitFor()
  await page.getByRole('button', { name: 'Run' }).click()
  const shown = page.getByLabel('Reply of the server')
  await shown.getByText('gateway_reward').first().waitFor()
  const result = await shown.textContent()
  expect(result).toContain('iotRewardShares')
  expect(result).not.toContain('errors')
  expect(complaints).toEqual([])
  const outside = asked.filter((url) => !url.startsWith(`${address}/`) && !url.startsWith('data:'))
  expect(outside).toEqual([])
  expect(asked.length).toBeGreaterThanOrEqual(3)
}

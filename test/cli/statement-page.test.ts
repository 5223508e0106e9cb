import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runMain } from '../support/servers/run-main.ts'
import { makeStatementLake } from '../support/statement/made-network.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Texts of the cells of a row, by the first two. */
function rowsOf(page: string): readonly string[] {
  return [...page.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell]) => cell).join(' | '),
  )
}

it('the page of a statement has its sums, gaps, hotspots and digests, escaped, and loads nothing', async () => {
  const cwd = await temporaryFolder()
  const { folder } = await makeStatementLake()
  writeFileSync(join(cwd, 'bank.csv'), '2025-03-30,HNT,EUR,2\n')
  const args = ['--owner', 'owner-a', '--year', '2025', '--tz', 'Europe/Berlin', '--prices', 'bank.csv']
  const { code } = await runMain(['statement', ...args, '--lake', folder, '--out', 'year'], { cwd })
  const page = readFileSync(join(cwd, 'year', 'summary.html'), 'utf8')
  const summary = JSON.parse(readFileSync(join(cwd, 'year', 'summary.json'), 'utf8'))
  expect(code).toBe(0)
  expect(page).toContain('<h1>Statement of owner owner-a, 2025-01-01 to 2025-12-31 (Europe/Berlin)</h1>')
  expect(rowsOf(page)).toEqual(
    expect.arrayContaining([
      'Token | Month | Amount | USD | EUR | Rewards',
      'HNT | 2025-03 | 1.234568 | 3.08642 | 2.469136 | 2',
      'HNT | 2025-12 | 0.0000002 | unknown | unknown | 1',
      'HNT | in all | 1.2345682 | unknown | unknown | 3',
      'an unknown token of the IoT network | 2025-06 | 77 bones | unknown | unknown | 1',
    ]),
  )
  expect(page).toContain('<li>HNT: no price for 2025-12-31</li>')
  expect(page).toContain('<p>All tokens: 3.0901701785 USD</p>')
  expect(page).toContain('<td class="">Two, of &quot;A&quot;</td>')
  for (const { sha256 } of summary.files) expect(page).toContain(sha256)
  expect(page).toContain(summary.digest)
  expect(page).toContain('@page')
  expect(page.replace('href="data:,"', '')).not.toMatch(/<script|src=|href=|url\(|@import/)
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { referencePages } from '../../scripts/write-reference.ts'
import { errorTable } from '../../src/base/errors.ts'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { resources } from '../../src/catalog/resources.ts'
import { querySchema } from '../../src/doors/contract/query-schema.ts'
import { environmentName, readSettings, settingRows } from '../../src/services/settings/settings.ts'
import { some } from '../support/some.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pages = Object.entries(referencePages())
const markdown = pages.filter(([path]) => path.endsWith('.md'))

describe('the reference', () => {
  it.each(pages)('%s equals the output of npm run reference', (path, text) => {
    expect(textOf(path)).toBe(text)
  })

  const written = markdown.map(([path]) => textOf(path)).join('\n')

  it.each([
    ['table', resources.map(({ name }) => `## ${name}\n`)],
    ['operation', resources.flatMap(({ rest }) => [rest?.list, rest?.totals].filter(isText).map(quoted))],
    ['path', resources.flatMap(({ rest }) => (rest === undefined ? [] : pathsOf(rest)))],
    ['setting', settingRows.map(({ name }) => quoted(name))],
    ['flag', settingRows.map(({ flag, placeholder }) => quoted(`${flag} ${placeholder}`.trim()))],
    ['environment variable', settingRows.map(({ name }) => quoted(environmentName(name)))],
    ['error', Object.keys(errorTable).map(quoted)],
  ])('names every %s', (_what, names) => {
    for (const name of some(names)) expect(written, name).toContain(name)
  })

  it.each(resources.map((resource) => [resource.name, resource] as const))(
    'names every column of %s in its section',
    (_name, resource) => {
      const section = sectionOf(resource.name)
      expect(Object.keys(resource.columns).filter((name) => !section.includes(`| \`${name}\` |`))).toEqual([])
    },
  )

  it('has tables with cells', () => {
    expect(markdown.filter(([, text]) => /^\|/m.test(text)).length).toBeGreaterThan(1)
  })

  it.each(markdown)('%s has no empty cell and nothing undefined', (_path, text) => {
    const cells = text.split('\n').filter((line) => line.startsWith('|'))
    expect(cells.filter((line) => /\|\s*\|/.test(line))).toEqual([])
    expect(text).not.toMatch(/undefined|\[object/)
  })

  it('describes the source, the row and the indexes of each table', () => {
    expect(sectionOf('l1_gateways')).toContain(
      '- Arrives as CSV in the folder `gateway_inventory`, with these cells: `address`, `owner`, ',
    )
    expect(sectionOf('l1_gateways')).toContain('- One row for each `address`: ')
    expect(sectionOf('hotspots')).toContain(
      '- Arrives as records in JSON, in files whose name begins with `hotspots`.',
    )
    const { sorted, pointers } = l1Rewards.access
    expect(sectionOf('l1_rewards')).toContain(
      `- In the state folder, for filters: indexes by ${sorted.map(quoted).join(', ')}; ` +
        `pointers from ${pointers.map(quoted).join(', ')}.`,
    )
    expect(sectionOf('reward_manifests')).toContain(
      '- Arrives as messages of oracles, in files named `reward_manifest.*.gz` or `network_reward_manifest_v1.*.gz`.',
    )
    expect(sectionOf('reward_manifests')).not.toMatch(/One row|In the state folder/)
  })

  it('gives the default and the bounds of page and per_page', () => {
    const asked = { from: '2025-01-01', to: '2025-02-01' }
    const check = querySchema(resources[0] as Resource, 'list')
    const { page, perPage } = check(asked)
    expect(rowOf('page')).toContain(`from 1 to 9007199254740. Default ${page}.`)
    expect(rowOf('per_page')).toContain(`from 1 to 100. Default ${perPage}.`)
    expect(check({ ...asked, per_page: '100' }).perPage).toBe(100)
    expect(() => check({ ...asked, per_page: '101' })).toThrow('per_page')
  })

  it('.env.example gives every setting its default', () => {
    const lines = textOf('.env.example').match(/(?<=^# )LEDGERLAKE_\w+=.*$/gm) ?? []
    const pairs = lines.map((line) => line.split('='))
    expect(pairs.map(([name]) => name)).toEqual(settingRows.map(({ name }) => environmentName(name)))
    const exact = pairs.filter(([, value]) => value !== 'N')
    expect(exact).toHaveLength(pairs.length - 2)
    expect(readSettings(Object.fromEntries(exact), {})).toEqual(readSettings({}, {}))
  })
})

function quoted(name: string): string {
  return `\`${name}\``
}

function isText(value: string | undefined): value is string {
  return value !== undefined
}

function pathsOf({ path, totals }: { readonly path: string; readonly totals?: string }): readonly string[] {
  const list = `GET /v1/net${path}\``
  return totals === undefined ? [list] : [list, `GET /v1/net${path}/totals\``]
}

function sectionOf(name: string): string {
  const [, after = ''] = textOf('docs/reference/resources.md').split(`\n## ${name}\n`)
  return after.split('\n## ')[0] ?? ''
}

function rowOf(parameter: string): string {
  const start = `| \`${parameter}\` | list | no |`
  return (
    textOf('docs/reference/resources.md')
      .split('\n')
      .find((line) => line.startsWith(start)) ?? ''
  )
}

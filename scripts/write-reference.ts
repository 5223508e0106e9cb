import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { benchmarksPage, scalingPage } from '../bench/pages.ts'
import { errorTable } from '../src/base/errors.ts'
import { prettyJson } from '../src/base/values/pretty-json.ts'
import { resources } from '../src/catalog/resources.ts'
import { specifiedDialect } from '../src/doors/dialect/dialect.ts'
import { styleOf } from '../src/doors/documents/style-of.ts'
import { graphqlSchemaText } from '../src/doors/graphql/schema/schema.ts'
import { openMetrics } from '../src/doors/monitoring/metrics.ts'
import { linkedFrom, openApiDocument } from '../src/doors/open-api/document.ts'
import { environmentName, settingRows } from '../src/services/settings/settings.ts'
import { badInputPage } from '../test/bad-input/page.ts'
import { flatColumnsPage } from './reference/flat-columns-page.ts'
import { type ApiDocument, libraryFiles } from './reference/library-types.ts'
import { resourcesPage } from './reference/resources-page.ts'
import {
  environmentExample,
  errorsPage,
  metricsPage,
  type SettingLine,
  settingsPage,
} from './reference/short-pages.ts'

/** Writes docs/reference, .env.example and the figures of docs/guide/scaling.md; with --check it names the pages that are not as it would write them. */

const root = fileURLToPath(new URL('..', import.meta.url))

/** Defaults that depend on the machine, in words. */
const wordedDefaults: Readonly<Record<string, string>> = {
  engine_threads: 'one per core',
  workers: 'one per core',
}

const settings: readonly SettingLine[] = settingRows.map(
  ({ name, flag, placeholder, fallback, meaning }) => ({
    name,
    flag: `${flag} ${placeholder}`.trim(),
    variable: environmentName(name),
    fallback: wordedDefaults[name] ?? fallback,
    meaning,
    example: name in wordedDefaults ? placeholder : fallback,
  }),
)

/** Nothing is measured for their description. */
const metrics = openMetrics({
  current: () => undefined,
  coverages: { peek: () => undefined, span: () => undefined },
  derived: [],
  limits: () => ({}),
  backlog: () => ({ waiting: 0, running: 0, backlogMs: 0, refused: 0 }),
  cache: () => ({ bytes: 0, mostBytes: 0, entries: 0, hits: 0, misses: 0 }),
  connections: () => ({ http: { open: 0, most: undefined, refused: 0 } }),
  isReady: () => false,
})

/** The generated pages as they should be now, by their path in the repository. */
export function referencePages(): Readonly<Record<string, string>> {
  const network = settings.find(({ name }) => name === 'network')?.fallback
  const prefix = `/v1/${network}`
  const document = openApiDocument(resources, { prefix, style: styleOf(specifiedDialect) })
  return {
    'docs/reference/resources.md': resourcesPage(resources, prefix),
    'docs/reference/flat-columns.md': flatColumnsPage(resources, prefix),
    'docs/reference/settings.md': settingsPage(settings),
    'docs/reference/metrics.md': metricsPage(metrics.describe()),
    'docs/reference/errors.md': errorsPage(errorTable),
    'docs/reference/schema.graphql': graphqlSchemaText(resources),
    'docs/reference/openapi.json': `${prettyJson(linkedFrom('http://127.0.0.1:8080', document))}\n`,
    'docs/reference/bad-input.md': badInputPage(),
    ...formatted(libraryFiles(document as object as ApiDocument, resources)),
    'docs/reference/benchmarks.md': benchmarksPage(),
    'docs/guide/scaling.md': scalingPage(),
    '.env.example': environmentExample(settings),
  }
}

/** Code as the formatter writes it. */
function formatted(files: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, parts]) => [
      path,
      execFileSync(`${root}node_modules/.bin/biome`, ['format', '--stdin-file-path', path], {
        ...{ cwd: root, encoding: 'utf8', input: `${parts.join('\n\n')}\n` },
      }),
    ]),
  )
}

/** Paths of the pages that are missing or other than they should be. */
export function stalePages(): readonly string[] {
  return Object.entries(referencePages())
    .filter(([path, text]) => !existsSync(root + path) || readFileSync(root + path, 'utf8') !== text)
    .map(([path]) => path)
}

function main(check: boolean): void {
  const stale = stalePages()
  for (const path of stale) {
    if (check) console.error(`${path} is stale; npm run reference writes it anew.`)
    else {
      writeFileSync(root + path, referencePages()[path] ?? '')
      console.log(`wrote ${path}`)
    }
  }
  if (check && stale.length > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.includes('--check'))

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'
import {
  bundledPackages,
  enginePackage,
  innerPackages,
  licencesText,
  nodeRuntime,
} from '../../scripts/release-contents.mjs'
import { sbomText } from '../../scripts/release-sbom.mjs'
import { drawFolderGraph } from '../support/folder-graph.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Component {
  readonly name: string
  readonly version?: string
  readonly components?: readonly {
    readonly name: string
    readonly hashes: readonly { readonly content: string }[]
  }[]
}

let packages: ReturnType<typeof bundledPackages>
let inner: ReturnType<typeof innerPackages>

beforeAll(async () => {
  const metafile = await bundle('src/cli/main.ts', join(await temporaryFolder(), 'program.cjs'))
  packages = bundledPackages(metafile)
  inner = innerPackages(metafile)
})

/** Packages that the source imports, but the one that has no code of its own in it. */
const imported = () => [...drawFolderGraph().packages.keys()]

describe('the contents of a release', () => {
  it('has every package that the source imports, and those that these import', () => {
    const names = packages.map(({ name }) => name)
    expect(some(imported()).filter((name) => !names.includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['find-my-way', 'pino', 'flatbuffers']))
    expect(
      names.filter((name) => ['vitest', 'esbuild', 'typescript', 'ajv', 'light-my-request'].includes(name)),
    ).toEqual([])
  })

  it('has a licence text for each part, or the text of another part with the same licence', () => {
    const parts = [nodeRuntime(), enginePackage(), ...packages]
    const sections: readonly string[] = licencesText(parts)
      .split(`${'='.repeat(80)}\n`)
      .slice(1)
    expect(sections.map((text) => text.split('\n')[0])).toEqual(
      parts.map(({ name, version }) => `${name} ${version}`),
    )
    // What is linked into the engine is not listed; the file says so, and where it is.
    const engine = sections.find((text) => text.startsWith('@duckdb/node-bindings-'))
    expect(engine).toMatch(
      /does not list and this\nfile does not either\..*third_party.*\/duckdb\/tree\/v\d+\.\d+\.\d+\n+$/s,
    )
    const without = sections.filter((text) => text.includes('comes without its text'))
    expect(without.map((text) => text.split(' ')[0])).toEqual([
      ...['credential-provider-http', 'credential-provider-login', 'nested-clients'].map(
        (name) => `@aws-sdk/${name}`,
      ),
      '@bufbuild/protobuf',
      'abstract-logging',
      'graphql-helix',
      'int53',
      'varint',
    ])
    expect(sections.filter((text) => text.length < 300 && !without.includes(text))).toEqual([])
  })

  it('is a valid SBOM that names Node and the native library by its digest, and is the same twice', async () => {
    const contents = {
      version: '1.2.3',
      commit: 'c0ffee',
      engine: enginePackage(),
      node: nodeRuntime(),
      ...{ packages, inner },
    }
    const text = await sbomText(contents)
    expect(await sbomText(contents)).toBe(text)
    const { components } = JSON.parse(text) as { components: readonly Component[] }
    const named = (name: string) => components.find((one) => one.name === name)
    expect(named('node')?.version).toBe(process.versions.node)
    const library = named('libduckdb')?.components?.find(({ name }) => name === 'libduckdb.so')
    const bindings = `node_modules/@duckdb/node-bindings-linux-${process.arch}`
    const file = readFileSync(join(root, bindings, 'libduckdb.so'))
    expect(library?.hashes.map(({ content }) => content)).toEqual([
      createHash('sha256').update(file).digest('hex'),
    ])
    const ids = [...packages, ...inner].map(({ name, version }) => `${name}@${version}`)
    expect(components).toHaveLength(new Set(ids).size + 3)
  })

  it('lists the packages that the MCP library has inside, in its versions', async () => {
    const folder = join(root, 'node_modules/@modelcontextprotocol/server/dist')
    const files = readdirSync(folder).filter((name) => /^(src|ajvProvider)-.*\.mjs$/.test(name))
    const texts = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('')
    const named = [...texts.matchAll(/\.pnpm\/(ajv|content-type|fast-uri)@([\d.]+)\//g)]
    const inside = new Set(named.map(([, name, version]) => `${name}@${version}`))
    expect(inside.size).toBe(3)
    const without = { engine: undefined, node: undefined }
    const { components } = JSON.parse(
      await sbomText({ ...without, version: '1', commit: 'c', packages, inner }),
    )
    const ids = components.map(({ name, version }: Component) => `${name}@${version}`)
    expect(ids).toEqual(expect.arrayContaining([...inside]))
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { engineFiles } from './build-binary.mjs'
import { root } from './prepare.mjs'

/** What is inside a release: packages that were bundled, the engine, and Node. */

const LICENCE = /^(licen[cs]e|notice|copying)/i

/** Path of a package in the store of pnpm, which bundlers leave in comments. */
const INNER = /\/\.pnpm\/(?:(@[^+/@]+)\+)?([^+/@]+)@(\d[^/_(]*)[^/]*\/node_modules\//g

/** Paths of files with bytes in the outputs of esbuild. */
function usedFiles({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path)
}

/** Names and versions of the packages that bundled packages have inside, whose manifests do not name them. */
export function innerPackages(metafile) {
  const files = usedFiles(metafile).filter((path) => /node_modules\/.*\.[cm]?js$/.test(path))
  const inner = files.flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(INNER)])
  const byId = inner.map(([, scope, name, version]) => [
    `${scope ?? ''}${name}@${version}`,
    { name: scope === undefined ? name : `${scope}/${name}`, version },
  ])
  return [...new Map(byId).values()]
}

/** Packages with bytes in the outputs of esbuild, each with its folder, manifest and licence texts, by name. */
export function bundledPackages(metafile) {
  const used = usedFiles(metafile)
  const folders = used.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .map((folder) => packageIn(join(root, folder)))
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

function packageIn(folder) {
  const { name, version, license, author, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return {
    name,
    version,
    license,
    author: author?.name ?? author,
    link: repository?.url ?? repository,
    texts,
  }
}

/** The package that npm installs with the program; it depends on one with the engine for each system. */
export const installedPackage = () => packageIn(join(root, 'node_modules/@duckdb/node-bindings'))

/** The package with the native engine, and its files with their digests. */
export function enginePackage() {
  const { from, contents } = engineFiles()
  const own = packageIn(from)
  return { ...own, texts: [...own.texts, innerText(own.version)], files: contents.files }
}

/** The npm package of the engine has one licence; its library is linked with others. */
function innerText(version) {
  const tag = `v${version.replace(/-.*/, '')}`
  return [
    'libduckdb contains libraries of others under licences of their own, which its package does not list and this',
    'file does not either. They are in the folder third_party, and for extensions in extension, of its source:',
    `https://github.com/duckdb/duckdb/tree/${tag}`,
  ].join('\n')
}

/** The Node that runs this, with the licences of itself and its parts. Errors: no licence is found beside it. */
export function nodeRuntime() {
  const prefix = dirname(dirname(process.execPath))
  const places = [
    join(prefix, 'LICENSE'),
    join(prefix, 'share/doc/nodejs/LICENSE'),
    join(prefix, 'share/doc/node/LICENSE'),
  ]
  const place = places.find((path) => existsSync(path))
  if (place === undefined)
    throw new Error(`none of ${places.join(', ')} is there; take a Node that came with its licence`)
  return {
    name: 'node',
    version: process.versions.node,
    license: 'MIT',
    texts: [readFileSync(place, 'utf8').trim()],
  }
}

/** All licences as one text, a section for each package. */
export function licencesText(parts) {
  const sections = parts.map(({ name, version, license, author, link, texts }) => {
    const said = [`Licence: ${license}`, author && `Author: ${author}`, link && `Source: ${link}`].filter(
      Boolean,
    )
    const body = texts.length > 0 ? texts.join('\n\n') : missingText(license, parts)
    return `${'='.repeat(80)}\n${name} ${version}\n${said.join('\n')}\n\n${body}\n`
  })
  return sections.join('\n')
}

/** Some packages name their licence and leave its text out. */
function missingText(license, parts) {
  const names = license.split(/[()\s]+/).filter((word) => word !== '' && word !== 'AND')
  const like = names.map((name) =>
    parts.find((part) => part.license === name && part.texts.length === 1 && part.name !== 'node'),
  )
  if (like.includes(undefined)) throw new Error(`the text of ${license} is in no package`)
  return `The package comes without its text, which is that of ${like.map(({ name }) => name).join(' and ')} in this file.`
}

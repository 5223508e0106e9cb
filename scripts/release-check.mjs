import { readFileSync } from 'node:fs'
import { root } from './prepare.mjs'

/** Prints the notes of a release, or what keeps its tag from being released: node scripts/release-check.mjs v0.3.0 */

/**
 * Returns the newest section of the change log, with links to the files of the tag. `address` is that of the repository.
 * Errors: a sentence for each place that disagrees with the tag.
 */
export function releaseNotes(tag, { version, repository }, changelog, address) {
  const [, newest = ''] = changelog.split(/^## /m).slice(1)
  const [heading, ...lines] = newest.split('\n')
  const faults = [
    tag !== `v${version}` && `The tag is ${tag}; for the version in package.json it must be v${version}.`,
    !/^\d+\.\d+\.\d+, \d{4}-\d\d-\d\d$/.test(heading) || !heading.startsWith(`${version}, `)
      ? `The newest section of CHANGELOG.md is "${heading}"; it must be "${version}, " and the day.`
      : false,
    !repository?.url?.includes(address) &&
      `"repository" in package.json must have the url git+${address}.git; npm refuses a package without it.`,
  ].filter(Boolean)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const files = `${address}/blob/${tag}/`
  return lines
    .join('\n')
    .trim()
    .replaceAll('](#', `](${files}CHANGELOG.md#`)
    .replaceAll(/\]\((?!https?:)/g, `](${files}`)
}

if (import.meta.filename === process.argv[1]) {
  const textOf = (name) => readFileSync(root + name, 'utf8')
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env
  const address = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
  try {
    const manifest = JSON.parse(textOf('package.json'))
    console.log(releaseNotes(process.argv[2], manifest, textOf('CHANGELOG.md'), address))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}

import { describe, expect, it } from 'vitest'
import { releaseNotes } from '../../scripts/release-check.mjs'

const address = 'https://github.com/an-owner/a-name'
const manifest = { version: '1.2.3', repository: { type: 'git', url: `git+${address}.git` } }
const changelog = `# Changelog

## Do these first

A table.

## 1.2.3, 2026-01-31

- See [a page](docs/page.md#part), [first](#do-these-first) and [Node](https://nodejs.org).

## 1.2.2, 2026-01-01

- Older.
`

describe('a release', () => {
  it('has the newest section of the change log as its notes, with links to the files of the tag', () => {
    const files = `${address}/blob/v1.2.3`
    expect(releaseNotes('v1.2.3', manifest, changelog, address)).toBe(
      `- See [a page](${files}/docs/page.md#part), [first](${files}/CHANGELOG.md#do-these-first) and [Node](https://nodejs.org).`,
    )
  })

  it.each([
    ['of another version', 'v1.2.4', {}, changelog, 'for the version in package.json it must be v1.2.3.'],
    ['without a v', '1.2.3', {}, changelog, 'The tag is 1.2.3;'],
    [
      'with unreleased changes',
      'v1.2.3',
      {},
      changelog.replace('1.2.3, 2026-01-31', 'Unreleased'),
      'The newest section of CHANGELOG.md is "Unreleased"; it must be "1.2.3, " and the day.',
    ],
    ['without a day', 'v1.2.3', {}, changelog.replace(', 2026-01-31', ''), 'CHANGELOG.md is "1.2.3"'],
    ['of a preview', 'v1.2.3-rc.1', { version: '1.2.3-rc.1' }, changelog, 'The newest section'],
    [
      'of another repository',
      'v1.2.3',
      { repository: { url: 'x' } },
      changelog,
      `the url git+${address}.git;`,
    ],
    ['without a repository', 'v1.2.3', { repository: undefined }, changelog, '"repository" in package.json'],
  ])('%s is refused', (_, tag, change, log, sentence) => {
    expect(() => releaseNotes(tag, { ...manifest, ...change }, log, address)).toThrow(sentence)
  })
})

import type { Fault } from './fault.ts'

/** Faults in the pages of the guides. */
export const guideFaults: readonly Fault[] = [
  {
    what: 'markup in a guide reaches the page as it is',
    file: 'scripts/guide/markdown.ts',
    find: 'isPlainTag(tag) ? tag : escaped(tag)',
    replace: 'tag',
    tests: ['test/docs/guide-pages.test.ts'],
  },
  {
    what: 'headings of one name have one anchor',
    file: 'scripts/guide/markdown.ts',
    find: 'before === 0 ?',
    replace: 'before >= 0 ?',
    tests: ['test/docs/guide-pages.test.ts'],
  },
  {
    what: 'links of a page are taken from the top of the repository',
    file: 'scripts/guide/site.ts',
    find: 'posix.join(posix.dirname(page), decodeURIComponent(link))',
    replace: 'decodeURIComponent(link)',
    tests: ['test/docs/guide-pages.test.ts'],
  },
  {
    what: 'guides forget the base path',
    file: 'src/doors/guide/routes.ts',
    find: '() => base',
    replace: "() => ''",
    tests: ['test/docs/guide-pages.test.ts'],
  },
  {
    what: 'pictures of guides are served as they stand in the build',
    file: 'src/doors/guide/routes.ts',
    find: "Buffer.from(base64, 'base64')",
    replace: 'Buffer.from(base64)',
    tests: ['test/docs/guide-pages.test.ts'],
  },
]

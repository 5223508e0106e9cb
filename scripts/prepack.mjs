import { writeFileSync } from 'node:fs'
import { install, root } from './prepare.mjs'

/** What `npm pack` does first, on a fresh clone too: builds the program, and gathers the licences of what is bundled. */

install()
const { bundle } = await import('./bundle.mjs')
const { bundledPackages, licencesText } = await import('./release-contents.mjs')
const metafile = await bundle('src/cli/main.ts', `${root}dist/ledgerlake.cjs`)
writeFileSync(`${root}dist/LICENSES.txt`, licencesText(bundledPackages(metafile)))

import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { digestOfInputs, writeStamp } from './build-stamp.mjs'
import { bundle } from './bundle.mjs'
import { commandFlags, root } from './prepare.mjs'
import { bundledPackages, licencesText } from './release-contents.mjs'

const dist = `${root}dist/`

const inputs = digestOfInputs(root)

/** One file with everything but the engine's native binding, and the licences of what is in it. */
const metafile = await bundle('src/cli/main.ts', `${dist}ledgerlake.cjs`)
writeFileSync(`${dist}LICENSES.txt`, licencesText(bundledPackages(metafile)))

for (const name of readdirSync(dist)) if (name.endsWith('.compiled')) rmSync(dist + name)
const { status } = spawnSync(process.execPath, [...commandFlags, `${root}scripts/compile.mjs`], {
  stdio: 'inherit',
})
if (status !== 0)
  console.error('The program is built; it starts slower, since its code could not be compiled ahead.')
else writeStamp(root, inputs)

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { commit, digestOfInputs, writeStamp } from './build-stamp.mjs'
import { bundle } from './bundle.mjs'
import { bundleClient, writeTypes } from './library.mjs'
import { commandFlags, root } from './prepare.mjs'
import { bundledPackages, innerPackages, installedPackage, licencesText } from './release-contents.mjs'
import { sbomText } from './release-sbom.mjs'

const dist = `${root}dist/`

const inputs = digestOfInputs(root)

/** One file with everything but the engine's native binding, and the licences and a list of what is in it. */
const metafile = await bundle('src/cli/bundle.ts', `${dist}ledgerlake.cjs`)
const packages = bundledPackages(metafile)
await bundleClient(dist)
writeTypes(dist)
writeFileSync(`${dist}LICENSES.txt`, licencesText(packages))
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const listed = { packages: [...packages, installedPackage()], inner: innerPackages(metafile) }
writeFileSync(`${dist}ledgerlake.cdx.json`, await sbomText({ version, commit: commit(root), ...listed }))

for (const name of readdirSync(dist)) if (name.endsWith('.compiled')) rmSync(dist + name)
const { status } = spawnSync(process.execPath, [...commandFlags, `${root}scripts/compile.mjs`], {
  stdio: 'inherit',
})
if (status !== 0)
  console.error('The program is built; it starts slower, since its code could not be compiled ahead.')
else writeStamp(root, inputs)

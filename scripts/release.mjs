import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { buildBinary } from './build-binary.mjs'
import { commit } from './build-stamp.mjs'
import { root } from './prepare.mjs'
import {
  bundledPackages,
  enginePackage,
  innerPackages,
  licencesText,
  nodeRuntime,
} from './release-contents.mjs'
import { sbomText } from './release-sbom.mjs'

/**
 * Makes release/ anew: an archive with the single executable for this system, the list of its parts, the npm package,
 * and SHA-256 sums: npm run release.
 */

const release = `${root}release/`
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const name = `ledgerlake-${version}-${process.platform}-${process.arch}`
const folder = `${release}${name}/`

rmSync(release, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const metafile = await buildBinary()
const packages = bundledPackages(metafile)
const contents = {
  ...{ version, commit: commit(root), packages, inner: innerPackages(metafile) },
  ...{ engine: enginePackage(), node: nodeRuntime() },
}
renameSync(`${release}ledgerlake`, `${folder}ledgerlake`)
writeFileSync(`${folder}LICENSES.txt`, licencesText([contents.node, contents.engine, ...packages]))
writeFileSync(`${folder}ledgerlake.cdx.json`, await sbomText(contents))
for (const file of ['LICENSE', 'NOTICE']) copyFileSync(root + file, folder + file)
cpSync(`${root}deploy/systemd`, `${folder}systemd`, { recursive: true })
copyFileSync(`${folder}ledgerlake.cdx.json`, `${release}${name}.cdx.json`)

const tar = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=a+r,u+w,go-w']
execFileSync('tar', [...tar, '--use-compress-program=gzip -n', '-cf', `${name}.tar.gz`, name], {
  cwd: release,
})
rmSync(folder, { recursive: true })
execFileSync('npm', ['pack', '--silent', '--pack-destination', release], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
})

const sums = readdirSync(release)
  .sort()
  .map((file) => {
    const digest = createHash('sha256')
      .update(readFileSync(release + file))
      .digest('hex')
    return `${digest}  ${file}\n`
  })
writeFileSync(`${release}SHA256SUMS`, sums.join(''))
process.stdout.write(sums.join(''))

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { buildBinary } from './build-binary.mjs'
import { commit } from './build-stamp.mjs'
import { root } from './prepare.mjs'
import { bundledPackages, enginePackage, licencesText, nodeRuntime } from './release-contents.mjs'
import { sbomText } from './release-sbom.mjs'

/**
 * Makes release/ anew: the single executable, the npm package, what is inside them, units of systemd, and SHA-256 sums
 * of all: npm run release.
 */

const release = `${root}release/`
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

rmSync(release, { recursive: true, force: true })
mkdirSync(release)
const packages = bundledPackages(await buildBinary())
const contents = { version, commit: commit(root), engine: enginePackage(), node: nodeRuntime(), packages }
const parts = [contents.node, contents.engine, ...packages]
writeFileSync(`${release}LICENSES.txt`, licencesText(parts))
writeFileSync(`${release}ledgerlake.cdx.json`, await sbomText(contents))
copyFileSync(`${root}LICENSE`, `${release}LICENSE`)
execFileSync('npm', ['pack', '--silent', '--pack-destination', release], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
})

const tar = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=a+r,u+w,go-w']
execFileSync('tar', [...tar, '-cf', `${release}ledgerlake-systemd.tar`, '-C', `${root}deploy`, 'systemd'])

const sums = readdirSync(release)
  .sort()
  .map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(release + name))
      .digest('hex')
    return `${digest}  ${name}\n`
  })
writeFileSync(`${release}SHA256SUMS`, sums.join(''))
process.stdout.write(sums.join(''))

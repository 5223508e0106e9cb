import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { environmentName, settingRows } from '../../src/services/settings/settings.ts'
import { runMain } from '../support/servers/run-main.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const textOf = (path: string) => readFileSync(join(deploy, path), 'utf8')
const units = readdirSync(join(deploy, 'systemd')).filter((name) => /\.(service|timer)$/.test(name))
const timers = units.filter((name) => name.endsWith('.timer'))
const ofSystem = '/usr/lib/systemd/system'
const canVerify = existsSync(ofSystem) && spawnSync('systemd-analyze', ['--version']).status === 0

describe('the systemd units', () => {
  it.each([...['Dockerfile', 'compose.yaml', 'systemd/ledgerlake.service', 'systemd/ledgerlake@.service']])(
    '%s sets nothing but settings',
    (path) => {
      const known = settingRows.map(({ name }) => environmentName(name))
      const named = [...textOf(path).matchAll(/\bLEDGERLAKE_\w+/g)].map(([name]) => name)
      if (path !== 'compose.yaml') expect(some(named)).toContain('LEDGERLAKE_CACHE_DIR')
      expect(named.filter((name) => !known.includes(name))).toEqual([])
    },
  )

  it('has timers for the commands ingest, compact and vacuum', async () => {
    expect(timers).toEqual(['ledgerlake-compact.timer', 'ledgerlake-ingest.timer', 'ledgerlake-vacuum.timer'])
    for (const timer of some(timers)) {
      const [, command = ''] = /^Unit=ledgerlake@(\w+)\.service$/m.exec(textOf(`systemd/${timer}`)) ?? []
      expect(`ledgerlake-${command}.timer`).toBe(timer)
      const { code, stdout } = await runMain([command, '--help'])
      expect([code, stdout]).toEqual([0, expect.stringContaining(`Usage: ledgerlake ${command} `)])
    }
  })

  it.each(['ledgerlake.service', 'ledgerlake@.service'])(
    '%s has the same restrictions as the other',
    (name) => {
      const lines = textOf(`systemd/${name}`).split('\n')
      const kept = some(
        lines.filter((line) => /^(Protect|Restrict|Private|NoNew|Capability|SystemCall)/.test(line)),
      )
      expect(kept).toEqual(
        expect.arrayContaining(['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=']),
      )
      expect(kept.length).toBeGreaterThanOrEqual(18)
    },
  )

  it.skipIf(!canVerify)('passes systemd-analyze verify', async () => {
    const root = await temporaryFolder()
    const program = join(root, 'usr/local/bin/ledgerlake')
    for (const folder of ['usr/local/bin', 'etc/systemd']) mkdirSync(join(root, folder), { recursive: true })
    cpSync(ofSystem, join(root, ofSystem), { recursive: true, verbatimSymlinks: true })
    cpSync(join(deploy, 'systemd'), join(root, 'etc/systemd/system'), { recursive: true })
    writeFileSync(program, '')
    chmodSync(program, 0o755)
    const jobs = timers.map(
      (timer) => `ledgerlake@${basename(timer, '.timer').slice('ledgerlake-'.length)}.service`,
    )
    const verify = ['verify', '--man=no', `--root=${root}`, 'ledgerlake.service', ...jobs, ...timers]
    const { status, stderr } = spawnSync('systemd-analyze', verify, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})

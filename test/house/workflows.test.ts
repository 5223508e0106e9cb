import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { some } from '../support/some.ts'

const folder = '.github/workflows'
const workflows = readdirSync(folder).map(
  (name) => [name, readFileSync(`${folder}/${name}`, 'utf8')] as const,
)
const textOf = (name: string) => new Map(workflows).get(name) ?? ''
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, part = '']) => part)

/** Shell commands: a line, or the deeper lines below "run: |". */
const commandsOf = (text: string) =>
  [...text.matchAll(/^( *)(?:- )?run: (?:\|\n((?:\1 {2,}.*\n)+)|(.+))/gm)].map(
    ([, , block, line]) => block ?? line ?? '',
  )

describe.each(workflows)('%s', (_, text) => {
  const commands = some(commandsOf(text)).join('\n')

  it('runs only existing scripts and files', () => {
    expect(found(commands, /\bnpm run ([\w:-]+)/g).filter((name) => !(name in manifest.scripts))).toEqual([])
    const files = [
      ...found(commands, /(?:\b(?:node|bash)|--file) ([\w./-]+)/g),
      ...found(text, /(?:node-version-file:|uses:) (\.\S+)/g),
    ]
    expect(some(files).filter((path) => !existsSync(path))).toEqual([])
  })

  it('pins each action to a commit, with its version beside it', () => {
    const actions = some(found(text, /\buses: (.+)/g)).filter((action) => !action.startsWith('./'))
    expect(actions.filter((action) => !/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
    const commits = new Set(actions)
    expect(new Set(actions.map((action) => action.split('@')[0])).size).toBe(commits.size)
  })

  it('puts no expression into a shell command', () => {
    expect(commands).not.toContain('${{')
  })

  it('may only read unless a job says more, and each job has a time limit', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m)
    const machines = some(found(text, /^ {4}runs-on: (.+)/gm))
    expect(found(text, /^ {4}timeout-minutes: (\d+)/gm)).toHaveLength(machines.length)
  })
})

describe('Node', () => {
  const [released = ''] = readFileSync('.nvmrc', 'utf8').split('\n')

  it('is tested in every version line that the package accepts, on both architectures', () => {
    // "^20.19.0 || ^22.13.0 || >=24.0.0"
    const accepted = manifest.engines.node.split(' || ').map((range) => Number(/\d+/.exec(range)))
    const [list = ''] = found(textOf('test.yml'), /^ +node: \[(.+)\]$/gm)
    const tested = list.split(', ').map(Number)
    const last = accepted.at(-1) ?? 0
    expect(tested.filter((version) => version <= last)).toEqual(accepted)
    expect(manifest.engines.node.endsWith(`>=${last}.0.0`)).toBe(true)
    expect(textOf('test.yml')).toContain('machine: [ubuntu-24.04, ubuntu-24.04-arm]')
    expect(tested).toContain(Number(released))
  })

  it('has the version of .nvmrc in the image, and in the executable by its page', () => {
    expect(readFileSync('deploy/Dockerfile', 'utf8')).toContain(`\nFROM node:${released}-`)
    const page = readFileSync('docs/guide/install.md', 'utf8')
    expect(page).toContain(`Released executables contain Node ${released};`)
    expect(page).toContain(`\nNode ${released}.`)
  })
})

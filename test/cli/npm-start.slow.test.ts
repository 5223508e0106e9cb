import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { cleanUp } from '../support/clean-up.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { startProgram } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let clone = ''

/** A clone that is installed and built, and that has its lake. */
beforeAll(async () => {
  clone = await temporaryFolder()
  cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true })
  writeFileSync(join(clone, 'scripts/build.mjs'), '')
  for (const name of ['bin', 'dist', 'src']) symlinkSync(join(root, name), join(clone, name))
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ scripts: manifest.scripts }))
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  mkdirSync(join(clone, 'node_modules'))
  writeFileSync(join(clone, 'node_modules/.package-lock.json'), '{}')
  utimesSync(join(clone, 'package-lock.json'), 0, 0)
  await copySmallLake(join(clone, 'data/lake'))
})

async function answers(address: string): Promise<boolean> {
  return await fetch(`${address}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'npm start prints in five lines the address and the next steps, and leaves no server after %s',
  async (signal) => {
    const child = spawn('npm', ['start', '--', '--port', '0'], { cwd: clone, detached: true })
    cleanUp(() => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // All of them are gone.
      }
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    let text = ''
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (part: Buffer) => {
        text += part
        const printed = / at (http:\/\/\S+)\/\n.*Stop: .*\n/s.exec(text)?.[1]
        if (printed !== undefined) resolve(printed)
      })
      child.stderr.on('data', (part: Buffer) => {
        text += part
      })
      ended.then(() => reject(new Error(`npm start ended: ${text}`)))
    })
    expect(await answers(address)).toBe(true)
    const said = text.split('\n').filter((line) => line !== '' && !/^[>{]/.test(line))
    expect(said.slice(said.findIndex((line) => line.startsWith('ledgerlake serves ')))).toEqual([
      `ledgerlake serves data/lake at ${address}/`,
      expect.stringMatching(/^ {2}In it: .* 3,000 hotspots/),
      expect.stringMatching(/^ {2}Explorer: /),
      expect.stringMatching(`^  Ask: +curl "${address}/v1/net/`),
      expect.stringMatching(/^ {2}Stop: +Ctrl\+C; .*bin\/ledgerlake ingest /),
    ])
    child.kill(signal)
    await ended
    expect(await answers(address)).toBe(false)
  },
  60_000,
)

it('of two commands that add a key of one name at once, one is refused, and no key is lost', async () => {
  const lake = join(clone, 'data/lake')
  const add = (name: string) =>
    startProgram(['keys', 'add', '--name', name, '--lake', lake], { cwd: clone }).finished
  const names = ['a', 'a', 'b', 'c', 'a', 'b']
  const done = await Promise.all(names.map(add))
  const added = names.filter((_, place) => done[place]?.code === 0)
  expect(added.sort()).toEqual(['a', 'b', 'c'])
  for (const { code, stderr } of done.filter((own) => own.code !== 0)) {
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^ledgerlake: There is a key of the name "[ab]" already, [\da-f]{12}; choose another name, or revoke it first\.\n$/,
    )
  }
  const list = await startProgram(['keys', 'list', '--json', '--lake', lake], { cwd: clone }).finished
  const kept = list.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).name)
  expect(kept.sort()).toEqual(['a', 'b', 'c'])
})

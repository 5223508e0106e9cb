import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What the system tells in place of what it does: contents, links and devices by path; null for what is not there. */
const told = vi.hoisted(() => ({
  files: {} as Record<string, string | null>,
  links: {} as Record<string, string>,
  devices: {} as Record<string, number>,
}))

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>()
  const own = {
    readFileSync(...given: Parameters<typeof real.readFileSync>) {
      const text = told.files[String(given[0])]
      if (text === null) throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })
      return text ?? real.readFileSync(...given)
    },
    readlinkSync: (path: string) => told.links[path] ?? real.readlinkSync(path),
    statSync(...given: Parameters<typeof real.statSync>) {
      const dev = told.devices[String(given[0])]
      return dev === undefined ? real.statSync(...given) : { dev }
    },
  }
  return { ...real, ...own, default: { ...real, ...own } }
})

beforeEach(() => {
  told.files = {
    '/proc/uptime': '1000.50 1900.12\n',
    '/proc/sys/kernel/random/boot_id': 'one start\n',
    '/etc/machine-id': 'one machine\n',
    [`/proc/${process.pid}/stat`]: stat(500),
    [`/proc/${process.ppid}/stat`]: stat(400),
    '/proc/1/stat': stat(1),
  }
  told.links = { '/proc/self/ns/pid': 'pid:[1]', '/proc/self/ns/time': 'time:[1]' }
  told.devices = { '/proc/uptime': 22, '/proc/self/stat': 22 }
})

/** The line of a process that began at a tick; its name has blanks and brackets. */
const stat = (start: number) => `7 (a) b) S ${'0 '.repeat(18)}${start} 0 0`

/** The modules as another process has them. */
async function asAnotherProcess() {
  vi.resetModules()
  const machine = await import('../../src/lake/disk/this-machine.ts')
  const runs = await import('../../src/lake/runs/run-folder.ts')
  const owners = await import('../../src/lake/runs/run-owner.ts')
  return { ...machine, ...runs, ...owners }
}

it('sinceBoot is read from /proc/uptime, which includes suspensions', async () => {
  const { readClock } = await asAnotherProcess()
  const before = readClock()
  expect(before.sinceBoot).toBe(1_000_500)
  // It was suspended for a week, in which no clock of a process goes on.
  told.files['/proc/uptime'] = `${1000.5 + 7 * 86_400} 1900.12\n`
  expect(readClock()).toMatchObject({ boot: before.boot, sinceBoot: 1_000_500 + 7 * 86_400_000 })
})

it('the start of the machine differs in each time namespace', async () => {
  const { readClock } = await asAnotherProcess()
  const { boot } = readClock()
  told.links['/proc/self/ns/time'] = 'time:[2]'
  expect(readClock().boot).not.toBe(boot)
})

it('a container with another running time than the kernel has its own boot id, the same for all its processes', async () => {
  const { readClock, birthOf } = await asAnotherProcess()
  const [{ boot }, birth] = [readClock(), birthOf(process.ppid)]
  told.devices['/proc/uptime'] = 99
  const inside = readClock().boot
  expect(inside).not.toBe(boot)
  // Births are told by the kernel all the same.
  expect(birthOf(process.ppid)).toBe(birth)
  expect((await asAnotherProcess()).readClock().boot).toBe(inside)
  told.files['/proc/1/stat'] = stat(300)
  const startedAgain = readClock().boot
  told.links['/proc/self/ns/pid'] = 'pid:[2]'
  expect(new Set([boot, inside, startedAgain, readClock().boot]).size).toBe(4)
})

it.each(['/proc/sys/kernel/random/boot_id', '/proc/uptime'])(
  'without %s each process has its own boot id',
  async (path) => {
    told.files[path] = null
    const { readClock } = await asAnotherProcess()
    const { boot, sinceBoot } = readClock()
    expect(sinceBoot).toBeLessThanOrEqual(process.uptime() * 1000)
    told.files = { ...told.files, [path]: 'told now' }
    expect(readClock().boot).not.toBe(boot)
  },
)

it('the birth of another process is undefined if its start or the boot id is unknown', async () => {
  const { birthOf } = await asAnotherProcess()
  expect(birthOf(process.ppid)).toMatch(/^[0-9a-f]{12}$/)
  told.files[`/proc/${process.ppid}/stat`] = null
  expect(birthOf(process.ppid)).toBeUndefined()
  told.files[`/proc/${process.ppid}/stat`] = stat(400)
  told.files['/proc/sys/kernel/random/boot_id'] = null
  expect([birthOf(process.ppid), birthOf(process.pid)]).toEqual([
    undefined,
    expect.stringMatching(/^[0-9a-f]{12}$/),
  ])
})

it('processes are comparable if machine, pid namespace and time namespace are equal', async () => {
  const spaceOf = async () => (await asAnotherProcess()).processSpace()
  const space = await spaceOf()
  expect(await spaceOf()).toBe(space)
  for (const kind of ['pid', 'time']) {
    told.links[`/proc/self/ns/${kind}`] = `${kind}:[2]`
    expect(await spaceOf()).not.toBe(space)
    told.links[`/proc/self/ns/${kind}`] = `${kind}:[1]`
  }
  told.files['/etc/machine-id'] = 'another machine'
  expect(await spaceOf()).not.toBe(space)
  told.files['/etc/machine-id'] = null
  const byStart = await spaceOf()
  told.files['/proc/sys/kernel/random/boot_id'] = null
  expect(new Set([space, byStart, await spaceOf()]).size).toBe(3)
})

it('the folder of a run is not removed while the start time of its process is unknown', async () => {
  const parent = await temporaryFolder()
  const { processSpace, birthOf, listAbandoned } = await asAnotherProcess()
  mkdirSync(join(parent, `${processSpace()}-${process.ppid}-${birthOf(process.ppid)}-theirs`))
  told.files[`/proc/${process.ppid}/stat`] = null
  expect(await listAbandoned(parent)).toEqual([])
  told.files[`/proc/${process.ppid}/stat`] = '\n'
  expect(await listAbandoned(parent)).toEqual([])
  told.files[`/proc/${process.ppid}/stat`] = stat(401)
  expect(await listAbandoned(parent)).toHaveLength(1)
})

it('the folder of a run in another time namespace is not removed', async () => {
  const parent = await temporaryFolder()
  // The parent of this process, with its start as that namespace tells it.
  told.links['/proc/self/ns/time'] = 'time:[2]'
  told.files[`/proc/${process.ppid}/stat`] = stat(100_400)
  const there = await asAnotherProcess()
  mkdirSync(join(parent, `${there.processSpace()}-${process.ppid}-${there.birthOf(process.ppid)}-theirs`))
  expect(await there.listAbandoned(parent)).toEqual([])
  told.links['/proc/self/ns/time'] = 'time:[1]'
  told.files[`/proc/${process.ppid}/stat`] = stat(400)
  expect(await (await asAnotherProcess()).listAbandoned(parent)).toEqual([])
})

import { expect, it } from 'vitest'
import { Slots } from '../../src/base/slots.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Pieces of work that end when they are told to, in slots for two. */
function open() {
  const slots = new Slots(2)
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const run = (name: string, signal?: AbortSignal) =>
    slots.run(() => {
      begun.push(name)
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error))),
      )
    }, signal)
  return { slots, begun, run, end: (name: string, error?: Error) => ends.get(name)?.(error) }
}

it('tasks run in as many slots as there are, then in order of arrival, even after an error', async () => {
  const { slots, begun, run, end } = open()
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => run(name))
  expect([begun, slots.running, slots.waiting]).toEqual([['a', 'b'], 2, 2])
  end('b')
  await expect(b).resolves.toBe('b')
  await turn()
  expect([begun, slots.running, slots.waiting]).toEqual([['a', 'b', 'c'], 2, 1])
  end('a', new Error('broken'))
  await expect(a).rejects.toThrow('broken')
  await turn()
  expect([begun, slots.running, slots.waiting]).toEqual([['a', 'b', 'c', 'd'], 2, 0])
  end('c')
  end('d')
  await Promise.all([c, d])
  expect([slots.running, slots.waiting]).toEqual([0, 0])
})

it('a task that was aborted while waiting is skipped', async () => {
  const { slots, begun, run, end } = open()
  const [caller, reason] = [new AbortController(), new Error('gone')]
  const [a, b] = [run('a'), run('b')]
  const c = run('c', caller.signal)
  const d = run('d')
  caller.abort(reason)
  await expect(c).rejects.toBe(reason)
  expect([slots.running, slots.waiting]).toEqual([2, 1])
  end('a')
  await a
  await turn()
  expect(begun).toEqual(['a', 'b', 'd'])
  end('b')
  end('d')
  await Promise.all([b, d])
  expect([slots.running, slots.waiting]).toEqual([0, 0])
  await expect(run('e', AbortSignal.abort(reason))).rejects.toBe(reason)
  expect(slots.running).toBe(0)
})

it('the client that has the fewest slots is next, and its statements keep their order', async () => {
  const slots = new Slots(2)
  const begun: string[] = []
  const ask = async (client: string, number: number) => {
    const leave = await slots.take(undefined, client)
    begun.push(`${client}${number}`)
    return leave
  }
  const [first, second] = [ask('a', 1), ask('a', 2)]
  const others = [ask('a', 3), ask('a', 4), ask('b', 1), ask('b', 2), ask('c', 1)]
  await turn()
  const leaves = [await first, await second]
  leaves[0]?.()
  await turn()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  leaves[1]?.()
  await turn()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  const [a3, , b1] = others
  ;(await a3)?.()
  await turn()
  expect(begun.at(-1)).toBe('a4')
  ;(await b1)?.()
  await turn()
  expect(begun.at(-1)).toBe('b2')
  ;(await others[1])?.()
  await turn()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4', 'b2', 'c1'])
})

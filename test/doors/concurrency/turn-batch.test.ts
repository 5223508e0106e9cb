import { expect, it } from 'vitest'
import { TurnBatch } from '../../../src/doors/concurrency/turn-batch.ts'

/** A batch whose turns end when they are told to, and whose time stands still. */
function openBatch() {
  let now = 0
  let ends: (() => void)[] = []
  const sent: string[] = []
  const batch = new TurnBatch<string>(
    (names) => void sent.push(...names),
    () => now,
    (end) => void ends.push(end),
  )
  return {
    sent,
    send: (...names: readonly string[]) => {
      for (const name of names) batch.add(name)
    },
    endTurn() {
      const all = ends
      ends = []
      for (const end of all) end()
    },
    pass(ms: number) {
      now += ms
    },
  }
}

it('a single item of each turn is handled at once', () => {
  const { sent, send, endTurn } = openBatch()
  for (const name of ['a', 'b', 'c']) {
    send(name)
    expect(sent.at(-1)).toBe(name)
    endTurn()
  }
  expect(sent).toEqual(['a', 'b', 'c'])
})

it('items of one turn are handled at its end in their order, and the first one at once only after a turn of one', () => {
  const { sent, send, endTurn } = openBatch()
  send('a', 'b', 'c')
  expect(sent).toEqual(['a'])
  endTurn()
  expect(sent).toEqual(['a', 'b', 'c'])
  send('d')
  expect(sent).toHaveLength(3)
  endTurn()
  send('e')
  expect(sent).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('no item waits longer than a millisecond for others', () => {
  const { sent, send, endTurn, pass } = openBatch()
  send('a', 'b')
  endTurn()
  send('c')
  pass(0.9)
  send('d')
  expect(sent).toEqual(['a', 'b'])
  pass(0.2)
  send('e')
  expect(sent).toEqual(['a', 'b', 'c', 'd', 'e'])
  send('f')
  endTurn()
  expect(sent.at(-1)).toBe('f')
})

import { describe, expect, it } from 'vitest'
import { Admission, type Ticket } from '../../../src/doors/gate/admission.ts'
import { Costs, type RequestWork } from '../../../src/doors/gate/costs.ts'
import { TimeShares } from '../../../src/doors/gate/time-shares.ts'
import { workOf } from '../../../src/doors/gate/work-of.ts'

/** Admission by a clock that is set by hand. */
function opened({ cheap = 1, costly = 1, mostWaitMs = 3000 } = {}) {
  const clock = { now: 0 }
  const admission = new Admission({ mostWaitMs, slots: { cheap, costly }, now: () => clock.now })
  const begun: string[] = []
  const tickets = new Map<string, Ticket>()

  /** Asks for work with a name; `refused after 2 s` where there is no place. */
  function ask(name: string, ms: number, caller = 'one', kind = name): string {
    const ticket = admission.admit(caller, { kind, ms })
    if (typeof ticket === 'number') return `refused after ${ticket} s`
    tickets.set(name, ticket)
    ticket.turn.then(() => begun.push(name))
    return 'accepted'
  }

  /** Finishes work and gives what has begun since. */
  async function leave(name: string, isDone = true): Promise<readonly string[]> {
    tickets.get(name)?.release(isDone)
    return await nowBegun()
  }

  async function nowBegun(): Promise<readonly string[]> {
    await new Promise(setImmediate)
    return begun.splice(0)
  }

  /** How many of so many requests are accepted. */
  const accepted = (asked: number, ms: number, caller: string) =>
    Array.from({ length: asked }, (_, at) => ask(`${caller} ${at}`, ms, caller)).filter(
      (answer) => answer === 'accepted',
    ).length

  return { admission, clock, ask, leave, nowBegun, accepted }
}

describe('admission', () => {
  it.each([
    // What is accepted counts twice for its own caller, so 2 ms x n stays below 200.
    ['100 cheap requests, limited by their time', 1, 100],
    // 2 x 4 ms x n stays below 128 x 4 ms.
    ['64 requests of a higher cost', 4, 64],
    // 2 x 100 ms x n stays below twice the longest wait, 6000 ms.
    ['30 expensive requests, as many as fit into the longest wait', 100, 30],
    ['a single request that takes longer than the longest wait', 60_000, 1],
  ])('accepts %s', (_, ms, most) => {
    expect(opened().accepted(400, ms, 'one')).toBe(most)
  })

  it('accepts seven of twenty expensive series of one client', () => {
    const { admission } = opened()
    const series = workOf('series rewards', {
      ...{ by: 'index', files: 0, rows: 0 },
      sums: { cells: 1e5, rows: 1e4, lookups: 0 },
    })
    const places = Array.from({ length: 20 }, () => typeof admission.admit('one', series))
    expect(places.filter((place) => place === 'object')).toHaveLength(7)
  })

  it('accepts three requests of one client and one of another if a kind allows five, and still other kinds', () => {
    const { admission } = opened()
    const series = { kind: 'series', ms: 100, mostEquals: 5 }
    const asked = (caller: string) =>
      Array.from({ length: 10 }, () => typeof admission.admit(caller, series)).filter(
        (place) => place === 'object',
      )
    expect([asked('one').length, asked('two').length]).toEqual([3, 1])
    expect(typeof admission.admit('one', { kind: 'page', ms: 1 })).toBe('object')
  })

  it('starts the first request of a second client next after one with 400 requests', async () => {
    const { ask, leave, nowBegun, accepted } = opened()
    expect(accepted(400, 1, 'greedy')).toBe(100)
    expect(ask('own', 1, 'modest')).toBe('accepted')
    expect(await nowBegun()).toEqual(['greedy 0'])
    expect(await leave('greedy 0')).toEqual(['own'])
  })

  it('accepts half of the remaining work from each further client', () => {
    const { accepted } = opened()
    // 100 + 2n < 200, then 150 + 2n < 200, then 175 + 2n < 200.
    expect(['a', 'b', 'c', 'd'].map((caller) => accepted(400, 1, caller))).toEqual([100, 50, 25, 13])
  })

  it('accepts cheap requests while expensive ones wait', () => {
    const { accepted } = opened()
    expect(accepted(400, 100, 'costly')).toBe(30)
    // Each of the thirty counts as one cheap request: 30 + 2n < 200.
    expect(accepted(400, 1, 'cheap')).toBe(85)
  })

  it('refuses with the number of seconds after which all accepted work is done', () => {
    const { ask, accepted, admission } = opened()
    accepted(400, 100, 'one')
    expect(admission.load()).toEqual({ waiting: 29, running: 1, backlogMs: 3000 })
    expect(ask('more', 100)).toBe('refused after 3 s')
    expect(accepted(400, 100, 'two')).toBe(15)
    expect(ask('more', 100)).toBe('refused after 5 s')
  })

  it('leaves out expensive work that would not delay the client from the seconds of a refusal', () => {
    const { ask, accepted, admission } = opened()
    expect(ask('very costly', 90_000, 'other')).toBe('accepted')
    expect(accepted(400, 1, 'one')).toBe(100)
    expect(ask('more', 1)).toBe('refused after 1 s')
    expect(admission.load().backlogMs).toBe(90_100)
    expect(ask('as costly', 90_000)).toBe('refused after 60 s')
  })

  it('a slot is released when a request finishes or is cancelled', async () => {
    const { ask, leave, accepted } = opened()
    expect(accepted(65, 4, 'one')).toBe(64)
    await leave('one 0')
    await leave('one 63', false)
    expect([ask('x', 4), ask('y', 4), ask('z', 4)]).toEqual(['accepted', 'accepted', 'refused after 1 s'])
  })
})

describe('the queue', () => {
  it('gives clients equal work: one with requests of three times the cost starts a third as many', async () => {
    const { ask, leave, nowBegun } = opened()
    for (const at of [1, 2, 3]) ask(`large ${at}`, 9, 'a')
    for (const at of [1, 2, 3, 4, 5, 6]) ask(`small ${at}`, 3, 'b')
    const order = [...(await nowBegun())]
    for (let at = 0; at < 8; at += 1) order.push(...(await leave(order.at(-1) ?? '')))
    expect(order).toEqual([
      ...['large 1', 'small 1', 'small 2', 'small 3', 'large 2', 'small 4', 'small 5', 'small 6', 'large 3'],
    ])
  })

  it('starts the cheapest request of a client first, unless a more expensive one has waited eight times its cost', async () => {
    const { ask, leave, clock } = opened()
    ask('first', 1)
    ask('of 8 ms', 8)
    clock.now = 55
    // The one of 8 ms counts as having come at 64 ms, this one at 55 + 8 = 63 ms.
    ask('of 1 ms', 1)
    clock.now = 57
    // At 57 + 8 = 65 ms.
    ask('of 1 ms, late', 1)
    expect(await leave('first')).toEqual(['first', 'of 1 ms'])
    expect(await leave('of 1 ms')).toEqual(['of 8 ms'])
    expect(await leave('of 8 ms')).toEqual(['of 1 ms, late'])
  })

  it('starts cheap requests while expensive ones wait, because these have slots of their own', async () => {
    const { ask, nowBegun, leave } = opened({ cheap: 2, costly: 1 })
    for (const at of [1, 2, 3]) ask(`costly ${at}`, 500)
    for (const at of [1, 2, 3]) ask(`cheap ${at}`, 1)
    expect(await nowBegun()).toEqual(['costly 1', 'cheap 1', 'cheap 2'])
    expect(await leave('cheap 2')).toEqual(['cheap 3'])
    expect(await leave('costly 1')).toEqual(['costly 2'])
  })

  it.each([
    [38, 'cheap'],
    [45, 'costly'],
  ])('takes the lane of a request from its plan until the measured %i ms make it %s', async (ms, lane) => {
    const { ask, clock, leave, nowBegun } = opened({ cheap: 2, costly: 1 })
    for (let count = 0; count < 200; count += 1) {
      ask('learned', 5, 'one', 'page')
      clock.now += ms
      await leave('learned')
    }
    for (const at of [1, 2]) ask(`page ${at}`, 5, 'one', 'page')
    expect(await nowBegun()).toHaveLength(lane === 'cheap' ? 2 : 1)
  })

  /** Begins work for so many turns of one lane; whoever was begun leaves after its time and does `then`. */
  async function turns(
    { clock, leave, nowBegun }: Pick<ReturnType<typeof opened>, 'clock' | 'leave' | 'nowBegun'>,
    count: number,
    msOf: (name: string) => number,
    then: (name: string) => void,
  ): Promise<readonly string[]> {
    const order: string[] = []
    const running = [...(await nowBegun())]
    for (let turn = 0; turn < count; turn += 1) {
      const name = running.shift() ?? ''
      order.push(name)
      clock.now += msOf(name)
      running.push(...(await leave(name)))
      then(name)
      running.push(...(await nowBegun()))
    }
    return order
  }

  it('starts an expensive request next although two other clients always have requests waiting', async () => {
    const own = opened({ mostWaitMs: 60_000 })
    let asked = 0
    const ms = (name: string) => ({ A: 100, B: 1, D: 500 })[name[0] ?? ''] ?? 0
    const again = (caller: string) => own.ask(`${caller} ${asked++}`, ms(caller), caller, caller)
    for (const caller of 'ABABABABAB') again(caller)
    const order = await turns(own, 60, ms, (name) => {
      again(name[0] ?? '')
      if (asked === 30) again('D')
    })
    const beforeIt = order.slice(20, order.indexOf('D 30'))
    expect(order).toContain('D 30')
    // The one that ran when it came.
    expect(beforeIt.filter((name) => name.startsWith('A'))).toHaveLength(1)
  })

  it('gives no extra work to a client that returns whenever nothing of its own is waiting', async () => {
    const own = opened()
    let asked = 0
    const again = (caller: string, ms: number) => own.ask(`${caller} ${asked++}`, ms, caller, caller)
    for (let times = 0; times < 5; times += 1) again('A', 20)
    again('X', 200)
    const ms = (name: string) => (name.startsWith('X') ? 200 : 20)
    const order = await turns(own, 220, ms, (name) => void again(name[0] ?? '', ms(name)))
    const worked = (caller: string) =>
      order.filter((name) => name.startsWith(caller)).reduce((sum, name) => sum + ms(name), 0)
    expect(Math.abs(worked('X') - worked('A'))).toBeLessThanOrEqual(200)
  })

  it('does not charge a client for work that it got while no other client waited', async () => {
    const { ask, leave, nowBegun } = opened()
    ask('alone', 5000, 'X')
    await leave('alone')
    for (const at of [1, 2, 3]) ask(`A ${at}`, 20, 'A')
    ask('X again', 20, 'X')
    expect(await nowBegun()).toEqual(['A 1'])
    expect(await leave('A 1')).toEqual(['X again'])
  })

  it('skips requests that were cancelled while waiting, and frees one slot if one is released twice', async () => {
    const { ask, nowBegun, leave } = opened()
    for (const name of ['first', 'second', 'third', 'fourth']) ask(name, 1)
    expect(await leave('second', false)).toEqual(['first'])
    expect(await leave('first', false)).toEqual(['third'])
    expect(await leave('first', false)).toEqual([])
    expect(await nowBegun()).toEqual([])
  })
})

describe('cost estimates', () => {
  it('follow the measured times of their kind, and so does the backlog', () => {
    const { admission, clock, ask } = opened()
    for (let at = 0; at < 200; at += 1) {
      const ticket = admission.admit('one', { kind: 'page', ms: 1 })
      clock.now += 40
      if (typeof ticket !== 'number') ticket.release(true)
    }
    ask('next', 1, 'one', 'page')
    expect(admission.load().backlogMs).toBeCloseTo(40, 3)
    ask('other', 1, 'one', 'list')
    expect(admission.load().backlogMs).toBeCloseTo(41, 3)
  })

  it('move by a sixteenth with each response, and a very slow one counts as four times the estimate', () => {
    const costs = new Costs()
    const work: RequestWork = { kind: 'page', ms: 2 }
    expect(costs.estimate(work, 'one')).toBe(2)
    costs.learn(work, 'one', 1, true)
    // 1 + (0.5 - 1) / 16 = 0.96875.
    expect(costs.estimate(work, 'one')).toBe(2 * 0.96875)
    costs.learn(work, 'one', 30_000, true)
    // 0.96875 x (1 + 3 / 16).
    expect(costs.estimate(work, 'one')).toBe(2 * 0.96875 * 1.1875)
  })

  it('rise with requests that were cancelled late, and do not fall with early cancels or cache hits', () => {
    const costs = new Costs()
    const work: RequestWork = { kind: 'page', ms: 2 }
    costs.learn(work, 'one', 0.1, false)
    expect(costs.estimate(work, 'one')).toBe(2)
    costs.learn(work, 'one', 4, false)
    expect(costs.estimate(work, 'one')).toBe(2 * 1.0625)
    for (let at = 0; at < 200; at += 1) costs.learn(work, 'one', 0, true)
    expect(costs.estimate(work, 'one')).toBe(2 / 8)
  })

  it('are separate for each client: slow responses to one client do not raise the estimate of another', () => {
    const costs = new Costs()
    const work: RequestWork = { kind: 'page', ms: 2 }
    costs.learn(work, 'modest', 2, true)
    for (let at = 0; at < 200; at += 1) costs.learn(work, 'slow', 30_000, true)
    expect(costs.estimate(work, 'modest')).toBe(2)
    expect(costs.estimate(work, 'slow')).toBe(2 * 64)
    // Whoever is new begins with what all took, and is told apart by the own answers.
    expect(costs.estimate(work, 'new')).toBe(2 * 64)
    costs.learn(work, 'new', 2, true)
    expect(costs.estimate(work, 'new')).toBe(2 * (64 - 63 / 16))
    for (let other = 0; other < 4096; other += 1) costs.learn(work, `other ${other}`, 2, true)
    expect(costs.estimate(work, 'slow')).toBeLessThan(3)
  })

  it('ignore work that failed', () => {
    const { admission, clock } = opened()
    const ticket = admission.admit('one', { kind: 'page', ms: 1 })
    clock.now += 4000
    if (typeof ticket !== 'number') ticket.release()
    admission.admit('one', { kind: 'page', ms: 1 })
    expect(admission.load().backlogMs).toBe(1)
  })

  it('divide the time equally among the requests that run at the same time', () => {
    let now = 0
    const shares = new TimeShares(() => now)
    const long = shares.begin()
    now = 10
    const short = shares.begin()
    now = 16
    // Alone for 10 ms, then both for 6.
    expect(shares.end(short)).toBe(3)
    now = 20
    expect(shares.end(long)).toBe(10 + 3 + 4)
    now = 1000
    const later = shares.begin()
    now = 1005
    expect(shares.end(later)).toBe(5)
  })
})

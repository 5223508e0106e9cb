import type { Fault } from './fault.ts'

const policy = ['test/server/admission.test.ts']
const unseen = ['test/server/refused-before.test.ts']
const slices = ['test/server/in-slices.test.ts']
const server = ['test/server/overload.test.ts']

export const overloadFaults: readonly Fault[] = [
  {
    what: 'one caller takes all the room there is',
    file: 'src/server/gate/admission.ts',
    find: '(other.caller.name === callerName ? 2 : 1)',
    replace: '1',
    tests: policy,
  },
  {
    what: 'dear requests that wait keep cheap ones out',
    file: 'src/server/gate/admission.ts',
    find: 'Math.min(other.cost, cost)',
    replace: 'other.cost',
    tests: policy,
  },
  {
    what: 'a dear request of a caller is passed for ever',
    file: 'src/server/gate/admission.ts',
    find: 'due: this.#now() + AGEING * cost',
    replace: 'due: AGEING * cost',
    tests: policy,
  },
  {
    what: 'who gives up while it waits keeps its place',
    file: 'src/server/gate/admission.ts',
    find: 'if (this.#waiting[lane].delete(accepted)) caller.waiting[lane] -= 1\n',
    replace: '',
    tests: policy,
  },
  {
    what: 'time that several spend side by side counts for each of them in full',
    file: 'src/server/gate/time-shares.ts',
    find: '(now - this.#at) / this.#running',
    replace: 'now - this.#at',
    tests: policy,
  },
  {
    what: 'a refused request costs quota',
    file: 'src/server/gate/gate.ts',
    find: 'if (isRefused(request, reply, refusal)) return\n',
    replace: '',
    tests: server,
  },
  {
    what: 'a file waits for its first piece after its deadline',
    file: 'src/server/rest/send-file.ts',
    find: 'await unlessGone(pieces.next(), signal)',
    replace: 'await pieces.next()',
    tests: server,
  },
  {
    what: 'a list of GraphQL is waited for after the deadline',
    file: 'src/server/graphql/connection-field.ts',
    find: 'await unlessGone(reading, signal)',
    replace: 'await reading',
    tests: server,
  },
  {
    what: 'a caller who comes back each time is begun before those who wait',
    file: 'src/server/gate/admission.ts',
    find: ' ?? this.#gone.get(name)',
    replace: '',
    tests: policy,
  },
  {
    what: 'answers of one caller make the requests of others dear',
    file: 'src/server/gate/costs.ts',
    find: 'this.#own.get(ownKey(kind, caller)) ?? ',
    replace: '',
    tests: policy,
  },
  {
    what: 'the dearest work of a route stands for its next request',
    file: 'src/server/gate/refused-before.ts',
    find: 'work.ms < known.work.ms',
    replace: 'work.ms > known.work.ms',
    tests: unseen,
  },
  {
    what: 'whoever was refused once is never looked at again',
    file: 'src/server/gate/refused-before.ts',
    find: '(known.unseen + 1) % LOOKED_AT',
    replace: '1',
    tests: unseen,
  },
  {
    what: 'a subscriber of IPv6 is as many callers as it has addresses',
    file: 'src/server/gate/caller.ts',
    find: '.slice(0, 4)',
    replace: '.slice(0, 8)',
    tests: unseen,
  },
  {
    what: 'all requests that have arrived are begun in one turn of the event loop',
    file: 'src/server/in-slices.ts',
    find: 'waiting.length > 0 && performance.now() < until) beginFirst()',
    replace: 'waiting.length > 0) beginFirst()',
    tests: slices,
  },
  {
    what: 'connections that go on arriving hold requests up for ever',
    file: 'src/server/in-slices.ts',
    find: ' || now - heldSince > MOST_HELD_MS',
    replace: '',
    tests: slices,
  },
  {
    what: 'an engine that hangs is noticed only when somebody asks for the health',
    file: 'src/server/build-server.ts',
    find: 'stopLooking = health.keepLooking()',
    replace: '',
    tests: ['test/server/health.test.ts'],
  },
]

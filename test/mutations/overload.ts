import type { Fault } from './fault.ts'

const policy = ['test/server/admission.test.ts']
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
    find: '        this.#waiting[lane].delete(accepted)\n        this.#running',
    replace: '        this.#running',
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
]

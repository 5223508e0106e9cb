import { fileURLToPath } from 'node:url'
import { afterAll, describe, it } from 'vitest'
import { cleanUpFile } from './clean-up.ts'

afterAll(cleanUpFile)

// A command that starts another one starts the program that was built, not that of the tests again.
process.argv[1] = fileURLToPath(new URL('../../bin/ledgerlake', import.meta.url))

/** Cases that were computed may have become none; then nothing would be tested, and nobody told. */
for (const each of [it, describe] as { each: (...given: unknown[]) => unknown }[]) {
  const own = each.each
  each.each = function (this: unknown, ...given) {
    const [cases] = given
    if (Array.isArray(cases) && cases.length === 0) throw new Error('each was given no cases')
    return own.apply(this, given)
  }
}

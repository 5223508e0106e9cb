/**
 * Which tests run, and how much they try. `unit` needs no build; the default proves every promise; `slow` is more of the
 * same: files named `*.slow.test.ts`, and those that ask here for a larger scale. `program` has what starts the program,
 * which PROGRAM_UNDER_TEST names, and files named `*.program.test.ts`.
 */
const tiers = ['unit', 'default', 'slow', 'program'] as const

export const tier = readTier(process.env.TEST_TIER ?? 'default')

/** What a test tries in `npm test`, and in `npm run test:slow`. Both have to be able to fail. */
export function scaled<T>(usual: T, slow: T): T {
  return tier === 'slow' ? slow : usual
}

function readTier(name: string): (typeof tiers)[number] {
  const known = tiers.find((own) => own === name)
  if (known === undefined) throw new Error(`TEST_TIER is ${name}; use one of ${tiers.join(', ')}`)
  return known
}

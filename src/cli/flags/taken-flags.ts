import type { Command } from 'commander'
import type { Flags } from './with-settings.ts'

/**
 * Returns flags that commander gave to the parent command because both have them. Throws for flags that only the parent
 * has.
 */
export function flagsTakenBy(above: Command, command: Command): Flags {
  const given = above.options.filter((option) => above.getOptionValueSource(option.attributeName()) === 'cli')
  const other = given.find(({ long }) => command.options.every((option) => option.long !== long))
  if (other !== undefined)
    command.error(`error: unknown option '${other.long}'`, { code: 'commander.unknownOption' })
  return Object.fromEntries(
    given.map((option) => [option.attributeName(), above.getOptionValue(option.attributeName())]),
  )
}

import type { Command } from 'commander'
import type { Flags } from './with-settings.ts'

/** Flags that both commands have are read by the one above; those that only it has are unknown to the one below. */
export function flagsTakenBy(above: Command, command: Command): Flags {
  const given = above.options.filter((option) => above.getOptionValueSource(option.attributeName()) === 'cli')
  const other = given.find(({ long }) => command.options.every((option) => option.long !== long))
  if (other !== undefined)
    command.error(`error: unknown option '${other.long}'`, { code: 'commander.unknownOption' })
  return Object.fromEntries(
    given.map((option) => [option.attributeName(), above.getOptionValue(option.attributeName())]),
  )
}

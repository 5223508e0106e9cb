import { refuse } from '../wire/postgres-error.ts'
import { refuseLongName } from './long-name.ts'

/** Settings that clients choose for themselves. */
const MOST_SETTINGS = 200

/** Settings with an effect on clients, as a read-only server has them. */
const fixed: Readonly<Record<string, string>> = {
  server_version: '15.0',
  server_version_num: '150000',
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  is_superuser: 'off',
  in_hot_standby: 'on',
  transaction_read_only: 'on',
  default_transaction_read_only: 'on',
  transaction_isolation: 'repeatable read',
  default_transaction_isolation: 'repeatable read',
  transaction_deferrable: 'off',
  default_transaction_deferrable: 'off',
  max_identifier_length: '63',
  max_index_keys: '32',
  lc_collate: 'C',
  lc_ctype: 'C',
  lc_messages: 'C',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
}

const defaults: Readonly<Record<string, string>> = {
  application_name: '',
  client_min_messages: 'notice',
  extra_float_digits: '1',
  idle_in_transaction_session_timeout: '0',
  lock_timeout: '0',
  row_security: 'on',
  search_path: '"$user", public',
  statement_timeout: '0',
}

/** Names that PostgreSQL writes with capitals, in the order in which it reports them. */
const reported = [
  ...['application_name', 'client_encoding', 'DateStyle', 'default_transaction_read_only', 'in_hot_standby'],
  ...['integer_datetimes', 'IntervalStyle', 'is_superuser', 'server_encoding', 'server_version'],
  ...['session_authorization', 'standard_conforming_strings', 'TimeZone'],
]

/** Other accepted values, which mean the same as the fixed one. */
const alike: Readonly<Record<string, RegExp>> = {
  client_encoding: /^'?(utf-?8|unicode)'?$/i,
  datestyle: /^iso\b/i,
  intervalstyle: /^postgres$/i,
  standard_conforming_strings: /^(on|true|yes|1)$/i,
  bytea_output: /^hex$/i,
  // Instants are shown in UTC, whatever clients prefer.
  timezone: /^/,
  transaction_read_only: /^(on|true|yes|1)$/i,
  // A read-only server accepts these, and stays as it is.
  default_transaction_read_only: /^/,
  transaction_isolation: /^/,
  default_transaction_isolation: /^/,
  transaction_deferrable: /^/,
  default_transaction_deferrable: /^/,
}

/** Settings of one connection. */
export class SessionSettings {
  readonly #values = new Map<string, string>()

  constructor(user: string) {
    this.#values.set('session_authorization', user)
  }

  /** Errors: 42704. */
  show(name: string): string {
    const key = keyOf(name)
    const value = fixed[key] ?? this.#values.get(key) ?? defaults[key]
    return value ?? refuse('42704', `There is no setting ${JSON.stringify(name)}.`)
  }

  /** Names and values of all settings. */
  all(): readonly (readonly [string, string])[] {
    const names = new Set([...Object.keys(fixed), ...Object.keys(defaults), ...this.#values.keys()])
    return [...names].sort().map((name) => [name, this.show(name)])
  }

  /** Errors: 0A000 for a value that this server could not keep to. */
  set(name: string, value: string | undefined): void {
    const key = keyOf(name)
    const isFixed = Object.hasOwn(fixed, key)
    if (value === undefined || /^default$/i.test(value)) this.#values.delete(key)
    else if (isFixed && value !== fixed[key] && alike[key]?.test(value) !== true)
      refuse('0A000', `The setting ${name} is ${JSON.stringify(value)}; this server has ${fixed[key]} alone.`)
    else if (!isFixed && key !== 'session_authorization') this.#keep(key, value)
  }

  /** Errors: 53400, 42622. */
  #keep(key: string, value: string): void {
    refuseLongName(key)
    if (this.#values.size > MOST_SETTINGS && !this.#values.has(key))
      refuse('53400', `There are ${MOST_SETTINGS} settings already; reset some of them.`)
    this.#values.set(key, value.slice(0, 1000))
  }

  reset(): void {
    for (const key of this.#values.keys()) if (key !== 'session_authorization') this.#values.delete(key)
  }

  /** Names and values that clients learn without asking. */
  reported(): readonly (readonly [string, string])[] {
    return reported.map((name) => [name, this.show(name)])
  }

  /** Milliseconds that a statement of this client may take; undefined for no limit. */
  get statementTimeoutMs(): number | undefined {
    const [, count, unit = 'ms'] = /^(\d+)\s*(ms|s|min|h)?$/.exec(this.show('statement_timeout')) ?? []
    const ms = Number(count ?? 0) * { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }[unit as 'ms']
    return ms > 0 ? ms : undefined
  }
}

const keyOf = (name: string) => name.toLowerCase()

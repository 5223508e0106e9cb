/** Instants as text, by the clock of JavaScript alone. */

/** Microseconds since 1970 with as many digits as they need; the years before 0 and after 9999 end there. */
export function instantText(micros: bigint): string {
  const seconds = micros >= 0n ? micros / 1_000_000n : -((-micros + 999_999n) / 1_000_000n)
  const rest = micros - seconds * 1_000_000n
  const held = Math.min(Number(seconds), 253_402_300_799)
  const whole = new Date(held * 1000).toISOString().slice(0, 19)
  return `${whole}${rest === 0n ? '' : `.${`${1_000_000n + rest}`.slice(1).replace(/0+$/, '')}`}Z`
}

/** Seconds since 1970 as text. */
export const secondsText = (seconds: bigint) => instantText(seconds * 1_000_000n)

/** Microseconds since 1970 of `2025-01-30T00:00:00.5Z`. */
export function microsOf(text: string): bigint {
  const [, whole = '', fraction = ''] = /^([-+\d]+-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(text) ?? []
  return BigInt(Date.parse(`${whole}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

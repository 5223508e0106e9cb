/** `1,346.5 IOT` as base units of its token, by digits alone. */
export function unitsIn(text: string): bigint {
  const [amount = '', symbol = ''] = text.replaceAll(',', '').split(/\s+/)
  const decimals = { HNT: 8, IOT: 6, MOBILE: 6, bones: 0 }[symbol]
  if (decimals === undefined) throw new Error(`${text} is no amount`)
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

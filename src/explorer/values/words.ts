const abbreviations: Readonly<Record<string, string>> = {
  iot: 'IoT',
  l1: 'L1',
  poc: 'PoC',
  wifi: 'Wi-Fi',
  dc: 'Data Credit',
  dcs: 'Data Credits',
  sc: 'state channel',
  dataonly: 'data only',
  oui: 'OUI',
  htlc: 'HTLC',
  vars: 'variables',
}

/** Writes a name of the chain in words: `poc_witness` is `PoC witness`. The version of a type is left out. */
export function words(name: string): string {
  const parts = name.replace(/_v\d+$/, '').split('_')
  const text = parts.map((part) => abbreviations[part] ?? part).join(' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

import { describe, expect, it } from 'vitest'
import { spellWallet } from '../../../src/catalog/records/wallet.ts'

/** L1 and L2 spelling of the same 32 bytes. Source: computed with Python's integers and hashlib. */
const wallets = [
  ['14XmxQRNJi1aKAfhuEHrct7HoncRgc5HifL42HY5NFyViJyC8WV', 'F4iiNGyxbeLaxwKYXoY9ZWD5FAFmMN8p5zHVCGwGMxX5'],
  ['13GLaMr3HaKH9kHxY5WoXB61w3CgxEcvNS1vDco1ZFnQQEbmm9k', '3qoT7431mpkzYhTWuonDz6SxGyezCkfH1YrF3gnVdUQg'],
  // All bits are 0, and all are 1; the third begins with three bytes of 0.
  ['12wkBET2rRgE8pahuaczxKbmv7ciehqsne57F9gtzf1PVja1RXu', '11111111111111111111111111111111'],
  ['14tVMTu4hrMTGeAQpAEzueCYqEESJQgkaH9DVJNnzK1mz9F3qzp', 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG'],
  ['12wkBETLDbXi3bYFDC4QmvWjpyR9DbTK98QjDECVXvtPZ8LSQe7', '1113ev7KArKmSeNWXoiX44de25oM4BcoUZHC9RfTFS'],
] as const

/** Texts without a second spelling; the keys among them are of the 32 bytes 000000 01…1d. */
const others = {
  'no gateway': '1Wh4bh',
  'a key of the test network': '1a3ezwdqrQMLCiqXiTzQ3478UoGdcrwKjMYT7dCqSQzbT6zgbPX',
  'a key of a hotspot (ECC)': '11111JNArUumxYJcSQpbuxuroRZtcSMVLcy5WbYGt14S4bBGH',
  'a key of a hotspot (ECC) as long as that of a wallet':
    '11tqkNQuRaTVQ4KSZ5fcgcoHAAySibQm5Hp7VXAx2NiAbxMzn5R',
  'a key of secp256k1': '16qEXhMPvStAKEhf2MJQgZiHfCeaX194iQYwhXaHXEuAYKJ1aug',
  'a multi-signature account': '12JtXMo9KPAw1jpeDBezFop1myBe9g7YQDhZLLtV7TH1D2DrmUKd5N',
  'a wallet with a wrong checksum': '14XmxQRNJi1aKAfhuEHrct7HoncRgc5HifL42HY5NFyViJyC8WW',
  'a wallet with a letter that base58 lacks': '14XmxQRNJi1aKAfhuEHrct7HoncRgc5HifL42HY5NFyViJyC8W0',
  'the 31 bytes of a key that is cut': '8zUFfLHADcabAoM9YFZYEosLosi2GDmsDuzfcSEkxG',
  'the 33 bytes of a key that is too long': 'JJEfe6DcPM2ziB2vfUWDV6aHVerXRGkv3TcyvJUNGHZz',
  'a name': 'owner-a',
  nothing: '',
}

describe('spellWallet', () => {
  it.each(wallets)('spells %s as %s on L2, and back', (l1, l2) => {
    expect([spellWallet('l2', l1), spellWallet('l2', l2)]).toEqual([l2, l2])
    expect([spellWallet('l1', l2), spellWallet('l1', l1)]).toEqual([l1, l1])
    expect([spellWallet(undefined, l1), spellWallet(undefined, l2)]).toEqual([l1, l2])
  })

  it.each(Object.entries(others))('leaves %s as it is', (_, text) => {
    expect([spellWallet('l1', text), spellWallet('l2', text)]).toEqual([text, text])
  })
})

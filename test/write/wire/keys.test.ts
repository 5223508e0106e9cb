import { describe, expect, it } from 'vitest'
import { KeyTexts, keyText } from '../../../src/write/wire/keys.ts'
import { vectorKey, vectorKeyText } from '../../support/messages/oracle-messages.ts'
import { base58checkOf } from '../../support/messages/wire-by-hand.ts'

describe('a public key as text', () => {
  it('is the published text for the published key', () => {
    expect(keyText(vectorKey)).toBe(vectorKeyText)
  })

  it.each([
    ['a single zero byte', Buffer.from([0])],
    ['many zero bytes', Buffer.alloc(33)],
    ['one byte', Buffer.from([255])],
    ['an ed25519 key', Buffer.from(`01${'5a'.repeat(32)}`, 'hex')],
    ['an RSA key of 270 bytes', Buffer.from(`04${'c3d2'.repeat(134)}07`, 'hex')],
  ])('is base58check whatever the key: %s', (_, key) => {
    expect(keyText(key)).toBe(base58checkOf(key))
  })

  it('is the same for the same key, and another for another key', () => {
    const keys = new KeyTexts()
    const other = Buffer.from(vectorKey)
    other[32] = 0x53
    expect(keys.textOf(vectorKey)).toBe(vectorKeyText)
    expect(keys.textOf(other)).toBe(base58checkOf(other))
    expect(keys.textOf(vectorKey)).toBe(vectorKeyText)
  })

  it('depends only on the bytes of the key within a larger buffer', () => {
    const buffer = Buffer.concat([Buffer.from('around'), vectorKey, Buffer.from('it')])
    expect(new KeyTexts().textOf(buffer.subarray(6, 39))).toBe(vectorKeyText)
  })
})

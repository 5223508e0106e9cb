import { describe, expect, it } from 'vitest'
import { decodeRow, refusalOf } from '../../support/messages/decode-row.ts'
import {
  len,
  message,
  num,
  varint,
  vectorKey,
  vectorKeyText,
} from '../../support/messages/oracle-messages.ts'

const decode = (...fields: readonly Buffer[]) => decodeRow('iot_witness_ingest_report', message(...fields))
const received = num(1, 1_736_989_237_233)
const report = (...fields: readonly Buffer[]) => len(2, len(2, vectorKey), ...fields)

describe('a witness report', () => {
  it('has its times to the millisecond and the nanosecond, its signal and its data rate', () => {
    const decoded = decode(
      received,
      report(
        len(3, Buffer.from('beac00ff', 'hex')),
        num(4, 1_736_989_236_123_456_789n),
        num(5, 4_294_967_295),
        num(6, 2467), // zigzag of -1234
        num(7, -55),
        num(8, 868_100_000),
        num(10, 3),
        len(11, Buffer.from('5160', 'hex')),
      ),
    )
    expect(decoded).toEqual({
      received_at: 1_736_989_237_233_000n,
      hotspot_key: vectorKeyText,
      data: Buffer.from('beac00ff', 'hex'),
      reported_at: 1_736_989_236_123_456n,
      reported_ns: 1_736_989_236_123_456_789n,
      tmst: 4_294_967_295n,
      signal: -1234,
      snr: -55,
      frequency: 868_100_000n,
      data_rate: 'SF9BW125',
      signature: Buffer.from('5160', 'hex'),
    })
  })

  it('has zeros, empty bytes and the first data rate for missing fields', () => {
    expect(decode(report())).toEqual({
      received_at: 0n,
      hotspot_key: vectorKeyText,
      data: new Uint8Array(0),
      reported_at: 0n,
      reported_ns: 0n,
      tmst: 0n,
      signal: 0,
      snr: 0,
      frequency: 0n,
      data_rate: 'SF12BW125',
      signature: new Uint8Array(0),
    })
  })

  it.each([
    [0, 0],
    [1, -1],
    [2, 1],
    [4_294_967_294, 2_147_483_647],
    [4_294_967_295, -2_147_483_648],
  ])('reads zigzag %i as a signal of %i', (zigzag, signal) => {
    expect(decode(report(num(6, zigzag)))).toMatchObject({ signal })
  })

  it.each([2_147_483_647, -2_147_483_648])('reads a signal to noise of %i', (snr) => {
    expect(decode(report(num(7, snr)))).toMatchObject({ snr })
  })

  it.each([
    [5, 'SF7BW125'],
    [18, 'LRFHSS1BW137'],
    [24, 'FSK50'],
    [25, '25'],
  ])('keeps data rate %i as %s', (number, data_rate) => {
    expect(decode(report(num(10, number)))).toMatchObject({ data_rate })
  })

  it('skips unknown fields', () => {
    expect(decode(num(9, 1), received, report(num(9, 1), len(1, 'x'), num(8, 5)), len(3, 'x'))).toMatchObject(
      {
        received_at: 1_736_989_237_233_000n,
        frequency: 5n,
      },
    )
  })

  it.each([
    [
      'without a report',
      message(received),
      'hotspot_key is empty; expected a public key of at least one byte',
    ],
    [
      'without a key',
      message(received, len(2, num(8, 5))),
      'hotspot_key is empty; expected a public key of at least one byte',
    ],
    [
      'received beyond the year 9999',
      message(num(1, 253_402_300_800_000n), report()),
      'received_at is 253402300800000; expected at most 253402300799999',
    ],
    [
      'with a frequency of more than 63 bits',
      message(received, report(num(8, 2n ** 64n - 1n))),
      'frequency is 18446744073709551615; expected at most 9223372036854775807',
    ],
    [
      'with nanoseconds of more than 63 bits',
      message(received, report(message(varint(4 * 8), varint(2n ** 63n)))),
      'reported_ns is 9223372036854775808; expected at most 9223372036854775807',
    ],
  ])('%s is refused', (_, bytes, sentence) => {
    expect(refusalOf('iot_witness_ingest_report', bytes)).toBe(sentence)
  })
})

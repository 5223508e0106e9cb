import { gzipSync } from 'node:zlib'
import type { AcceptedFileCase, ArchiveRecordCase, FileFaultCase } from '../case.ts'

const header = 'block,transaction_hash,time,account,gateway,amount,type\n'
/** A sound record of each folder. */
export const soundRecords: Readonly<Record<ArchiveRecordCase['folder'], string>> = {
  rewards: '7,hash,1600000000,account,gateway,5,poc_witness\n',
  transactions: '7,hash,payment_v2,{},1600000000\n',
  gateway_inventory: 'sound,owner,,,,{},1,2,3,a-name,2021-05-01 12:34:56+00,0.5,4,12,,full,\n',
}
const reward = soundRecords.rewards
const rewardWith = (from: string, to: string) => reward.replace(from, to)
const gatewayWith = (from: string, to: string) =>
  soundRecords.gateway_inventory.replace('sound', 'faulty').replace(from, to)
const fields = (text: string) => `7,hash,payment_v2,"${text.replaceAll('"', '""')}",1600000000\n`
const part = (name: string, content: string | Uint8Array) => ({
  [`rewards/${name}.csv.gz`]: gzipSync(content),
})
const whole = 'expected a whole number from 0 to 9223372036854775807'
const names = header.trim().split(',').join(', ')

export const archiveRecordFaults: readonly ArchiveRecordCase[] = [
  {
    name: 'a number with an exponent',
    wrong: 'A number is written with an exponent.',
    folder: 'rewards',
    record: rewardWith(',5,', ',5e3,'),
    reason: `amount is "5e3"; ${whole}`,
  },
  {
    name: 'a number with a fraction',
    wrong: 'A whole number has a fraction.',
    folder: 'rewards',
    record: rewardWith('7,', '7.0,'),
    reason: `block is "7.0"; ${whole}`,
  },
  {
    name: 'a number below zero',
    wrong: 'An amount is negative.',
    folder: 'rewards',
    record: rewardWith(',5,', ',-5,'),
    reason: `amount is "-5"; ${whole}`,
  },
  {
    name: 'a number beyond 64 bits',
    wrong: 'A number is beyond 2^63 - 1.',
    folder: 'rewards',
    record: rewardWith(',5,', ',9223372036854775808,'),
    reason: `amount is "9223372036854775808"; ${whole}`,
  },
  {
    name: 'a time beyond the year 9999',
    wrong: 'A time lies beyond the year 9999.',
    folder: 'rewards',
    record: rewardWith('1600000000', '253402300800'),
    reason: 'time is "253402300800"; expected a whole number from 0 to 253402300799',
  },
  {
    name: 'no hash',
    wrong: 'A text without which there is no row is empty.',
    folder: 'rewards',
    record: rewardWith('hash', ''),
    reason: 'transaction_hash is empty; expected a text without the character NUL',
  },
  {
    name: 'a NUL in a text',
    wrong: 'A text has the character NUL.',
    folder: 'rewards',
    record: rewardWith('account', 'a\0b'),
    reason: 'account is "a\\u0000b"; expected a text without the character NUL',
  },
  {
    name: 'too few cells',
    wrong: 'A line has too few cells.',
    folder: 'rewards',
    record: '7,hash\n',
    reason: 'record N has 2 cells; expected 7',
  },
  {
    name: 'too many cells',
    wrong: 'A line has too many cells.',
    folder: 'rewards',
    record: rewardWith('\n', ',1,2\n'),
    reason: 'record N has 9 cells; expected 7',
  },
  {
    name: 'fields that are no JSON',
    wrong: 'A cell that holds JSON does not.',
    folder: 'transactions',
    record: fields('{"fee": 1'),
    reason: 'fields is {"fee": 1; expected a JSON object',
  },
  {
    name: 'fields that are no object',
    wrong: 'The JSON of a cell is no object.',
    folder: 'transactions',
    record: '7,hash,payment_v2,[1],1600000000\n',
    reason: 'fields is [1]; expected a JSON object',
  },
  {
    name: 'a comma before a closing bracket',
    wrong: 'JSON has a comma before a closing bracket.',
    folder: 'transactions',
    record: fields('{"fee": 1 , }'),
    reason: 'fields is {"fee": 1 , }; expected a JSON object',
  },
  {
    name: 'a number that is none in JSON',
    wrong: 'JSON has NaN or Infinity, in any letter case.',
    folder: 'transactions',
    record: fields('{"fee": -inf}'),
    reason: 'fields is {"fee": -inf}; expected a JSON object',
  },
  {
    name: 'a time in another form',
    wrong: 'A time is not written as PostgreSQL writes it.',
    folder: 'gateway_inventory',
    record: gatewayWith('2021-05-01 12:34:56+00', '2021-05-01T12:34:56Z'),
    reason: 'first_timestamp is "2021-05-01T12:34:56Z"; expected a time such as 2021-05-01 12:34:56+00',
  },
  {
    name: 'a day that does not exist',
    wrong: 'A time names a day that does not exist.',
    folder: 'gateway_inventory',
    record: gatewayWith('2021-05-01', '2021-02-30'),
    reason: 'first_timestamp is "2021-02-30 12:34:56+00"; expected a time such as 2021-05-01 12:34:56+00',
  },
  {
    name: 'a scale that is no number',
    wrong: 'A decimal is no JSON number.',
    folder: 'gateway_inventory',
    record: gatewayWith('0.5', 'NaN'),
    reason: 'reward_scale is "NaN"; expected a decimal of at most 20 digits before the point',
  },
  {
    name: 'an elevation beyond 32 bits',
    wrong: 'An integer is beyond 32 bits.',
    folder: 'gateway_inventory',
    record: gatewayWith(',4,', ',2147483648,'),
    reason: 'elevation is "2147483648"; expected a whole number from -2147483648 to 2147483647',
  },
]

export const archiveFaults: readonly FileFaultCase[] = [
  {
    name: 'a header without a column',
    wrong: 'The header of an archive part lacks a column.',
    files: part('missing', `${header.replace('time,', '')}7,hash,account,gateway,5,poc_witness\n`),
    reason: 'column 3 of the header is account; expected time',
  },
  {
    name: 'a header that ends early',
    wrong: 'The header of an archive part lacks its last column.',
    files: part('short', header.replace(',type', '')),
    reason: 'the header ends before column 7; expected type',
  },
  {
    name: 'a header with another column',
    wrong: 'The header of an archive part has a column too many.',
    files: part('long', header.replace('\n', ',extra\n')),
    reason: 'column 8 of the header is extra; expected 7 columns',
  },
  {
    name: 'another table in a folder',
    wrong: 'A part of one table lies in the folder of another.',
    files: part('other', 'block,transaction_hash,actor,type,amount,oracle_price,time\n'),
    reason: 'column 3 of the header is actor; expected time',
  },
  {
    name: 'another table without a header',
    wrong: 'A part without a header has another number of cells.',
    files: part('cells', 'actor,payer,hash,7\n'),
    reason: `the first record has 4 cells ("actor", "payer", "hash", "7"); expected 7: ${names}`,
  },
  {
    name: 'another separator',
    wrong: 'The cells of a part are separated by something else than commas.',
    files: part('semicolons', header.replaceAll(',', ';')),
    reason:
      'the first record has 1 cell ("block;transaction_hash;time;account;gateway;amount;type"); ' +
      `expected 7: ${names}`,
  },
  {
    name: 'gzip under a name without .gz',
    wrong: 'An archive part is gzip, and its name does not say so.',
    files: { 'rewards/packed.csv': gzipSync(header + reward) },
    reason: 'it is gzip and its name does not say so; use a name that ends in .csv.gz',
  },
  {
    name: 'no record that can be a row',
    wrong: 'Every record of a part is refused, however few they are.',
    files: part('nothing', `${header}${rewardWith(',5,', ',5.0,')}`),
    reason: `no record of it is one of l1_rewards; record 0: amount is "5.0"; ${whole}`,
  },
  {
    name: 'another table with as many cells',
    wrong:
      'A part without a header has as many cells as its folder wants, and they are those of another table.',
    files: part('swapped', '7,hash,actor,fee,5,6,1600000000\n'.repeat(11)),
    reason:
      '11 of 11 records were refused, more than the limit of 10; the first is record 0: ' +
      'time is "actor"; expected a whole number from 0 to 253402300799',
  },
  {
    name: 'a quote that is never closed',
    wrong: 'A quote is never closed.',
    files: part('open', header + reward + rewardWith('account', '"account') + reward),
    reason:
      'a cell of record 3 has a quote that does not close it: 7,hash,1600000000,"account,gateway,5,poc_witness; ' +
      'expected quotes around a whole cell, doubled within it',
  },
  {
    name: 'text after a closing quote',
    wrong: 'Text follows a closing quote.',
    files: part('after', header + rewardWith('account', '"acc"ount')),
    reason:
      'a cell of record 2 has a quote that does not close it: 7,hash,1600000000,"acc"ount,gateway,5,poc_witness; ' +
      'expected quotes around a whole cell, doubled within it',
  },
  {
    name: 'bytes that are no UTF-8',
    wrong: 'A part of the archive is not UTF-8.',
    files: part('latin', Buffer.from(header + rewardWith('account', 'acc\xf6unt'), 'latin1')),
    reason: 'record 2 is not UTF-8; convert the file to UTF-8',
  },
  {
    name: 'line ends of two kinds',
    wrong: 'Some lines end with CRLF and some with LF.',
    files: part('mixed', header + reward + rewardWith('\n', '\r\n')),
    reason: 'its lines end in different ways; expected LF or CRLF throughout',
  },
  {
    name: 'an archive part that is cut',
    wrong: 'The gzip stream of an archive part is cut, which the engine does not notice.',
    files: { 'rewards/cut.csv.gz': gzipSync(header + reward).subarray(0, -1) },
    reason:
      'the gzip stream breaks after N bytes of content (unexpected end of file, file of N bytes); ' +
      'expected a whole gzip file',
  },
  {
    name: 'an archive part that is no gzip',
    wrong: 'An archive part is named as gzip and is none.',
    files: { 'rewards/plain.csv.gz': Buffer.from(header + reward) },
    reason:
      'the gzip stream breaks after 0 bytes of content (incorrect header check, file of N bytes); ' +
      'expected a whole gzip file',
  },
]

const table = 'l1_rewards'
const odd = (name: string, wrong: string, content: string, rows: number): AcceptedFileCase => ({
  name,
  wrong,
  file: `rewards/${name.replaceAll(/[^a-z]/g, '-')}.csv.gz`,
  bytes: gzipSync(content),
  rows,
  table,
})

export const acceptedParts: readonly AcceptedFileCase[] = [
  odd('crlf', 'Lines of an archive part end with CRLF.', (header + reward).replaceAll('\n', '\r\n'), 1),
  odd('byte-order mark', 'An archive part begins with a byte-order mark.', `\ufeff${header}${reward}`, 1),
  odd('no header', 'An archive part has no header.', reward + reward, 2),
  odd('header alone', 'An archive part has nothing but a header.', header, 0),
  odd('nothing', 'An archive part is empty.', '', 0),
  odd('no last break', 'The last line of an archive part has no line break.', header + reward.trim(), 1),
  odd('blank lines', 'An archive part has blank lines.', `${header}\n${reward}\n\n${reward}`, 2),
]

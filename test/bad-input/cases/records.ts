import { gzipSync } from 'node:zlib'
import { hotspotRecord, makerRecord, ndjson } from '../../support/messages/record-files.ts'
import { networks } from '../../support/specified.ts'
import type { AcceptedFileCase, FileFaultCase, RecordFaultCase } from '../case.ts'

/** A valid cell of resolution 12. */
const cell = 631280284262249471n

const hotspot = (more: Readonly<Record<string, unknown>>, name = 'wrong'): string =>
  JSON.stringify(hotspotRecord(name, more))
/** A hotspot with a member of `iot_info` or `mobile_info` written as given. */
const info = (network: string, member: string, value: string): string =>
  hotspot({ [`${network}_info`]: { [member]: '?' } }).replace('"?"', value)
const expectedCell = 'expected an H3 cell of resolution 12 as a whole number'
const expectedFee = 'expected a whole number from 0 to 9223372036854775807'
const expectedInteger = 'expected a whole number of at most 32 bits'

export const recordFaults: readonly RecordFaultCase[] = [
  {
    name: 'a broken line',
    wrong: 'A line is no JSON.',
    kind: 'hotspots',
    line: '{"asset_id": "a",',
    reason:
      'the record is not JSON (Quoted object key expected but reached end of input at position 17); expected a JSON object in one line',
  },
  {
    name: 'a line that is not UTF-8',
    wrong: 'A line has bytes that are no UTF-8.',
    kind: 'hotspots',
    line: Buffer.from(hotspot({ owner: 'ÿ' }), 'latin1'),
    reason:
      'the record is not JSON (The encoded data was not valid for encoding utf-8); expected a JSON object in one line',
  },
  {
    name: 'a record that is no object',
    wrong: 'A record is a number.',
    kind: 'hotspots',
    line: '5',
    reason: 'the record is 5; expected an object',
  },
  {
    name: 'a hotspot without key',
    wrong: 'A hotspot has no asset.',
    kind: 'hotspots',
    line: JSON.stringify({ ...hotspotRecord('x'), asset_id: undefined }),
    reason: 'asset_id is missing; expected a text in Unicode without NUL',
  },
  {
    name: 'a hotspot whose key is empty',
    wrong: 'The asset of a hotspot is empty.',
    kind: 'hotspots',
    line: hotspot({}, ''),
    reason: 'asset_id is ""; expected a text of at least one character',
  },
  {
    name: 'a maker without a name',
    wrong: 'A member that every record needs is null.',
    kind: 'makers',
    line: JSON.stringify(makerRecord('wrong', { name: null })),
    reason: 'name is missing; expected a text in Unicode without NUL',
  },
  {
    name: 'a cell that is no H3 index',
    wrong: 'A location is no H3 cell.',
    kind: 'hotspots',
    line: info('iot', 'location', (cell + 1n).toString()),
    reason: `iot_info.location is 631280284262249472; ${expectedCell}`,
  },
  {
    name: 'a cell of another resolution',
    wrong: 'A location is a cell of resolution 10.',
    kind: 'hotspots',
    line: info('mobile', 'location', '623386094568046591'),
    reason: `mobile_info.location is 623386094568046591; ${expectedCell}`,
  },
  {
    name: 'a cell in hexadecimal digits',
    wrong: 'A location is written in hexadecimal digits.',
    kind: 'hotspots',
    line: info('iot', 'location', '"8c2a100d2c6b5ff"'),
    reason: `iot_info.location is "8c2a100d2c6b5ff"; ${expectedCell}`,
  },
  {
    name: 'a network that does not exist',
    wrong: 'A hotspot is on a network that is not known.',
    kind: 'hotspots',
    line: hotspot({ networks: ['iot', 'smoke'] }),
    reason: `networks is ["iot","smoke"]; expected a list of ${networks.join(', ')}`,
  },
  {
    name: 'networks that are no list',
    wrong: 'The networks of a hotspot are one text.',
    kind: 'hotspots',
    line: hotspot({ networks: 'iot' }),
    reason: `networks is "iot"; expected a list of ${networks.join(', ')}`,
  },
  {
    name: 'a type of another spelling',
    wrong: 'The type of a device is spelt as on the chain.',
    kind: 'hotspots',
    line: hotspot({ mobile_info: { device_type: 'WifiIndoor' } }),
    reason:
      'mobile_info.device_type is "WifiIndoor"; expected one of cbrs, wifi_indoor, wifi_outdoor, wifi_data_only',
  },
  {
    name: 'a number for a text',
    wrong: 'A text is a number.',
    kind: 'hotspots',
    line: hotspot({ owner: 5 }),
    reason: 'owner is 5; expected a text in Unicode without NUL',
  },
  {
    name: 'a text with a NUL',
    wrong: 'A text has a NUL, which no key and no name has.',
    kind: 'hotspots',
    line: hotspot({ owner: 'a\0b' }),
    reason: 'owner is "a\\u0000b"; expected a text in Unicode without NUL',
  },
  {
    name: 'half of a character',
    wrong: 'A text has half of a character, which UTF-8 cannot say.',
    kind: 'makers',
    line: JSON.stringify(makerRecord('wrong', { dao: '?' })).replace('?', '\\ud800'),
    reason: 'dao is "\\ud800"; expected a text in Unicode without NUL',
  },
  {
    name: 'a text for true or false',
    wrong: 'A flag is a text.',
    kind: 'hotspots',
    line: hotspot({ iot_info: { is_active: 'yes' } }),
    reason: 'iot_info.is_active is "yes"; expected true or false',
  },
  {
    name: 'a fraction for an integer',
    wrong: 'An integer has a fraction.',
    kind: 'hotspots',
    line: info('iot', 'gain', '1.5'),
    reason: `iot_info.gain is 1.5; ${expectedInteger}`,
  },
  {
    name: 'an integer beyond 32 bits',
    wrong: 'An integer is greater than its column holds.',
    kind: 'makers',
    line: JSON.stringify(makerRecord('wrong', { bump_seed: 2 ** 31 })),
    reason: `bump_seed is 2147483648; ${expectedInteger}`,
  },
  {
    name: 'an integer beyond 63 bits',
    wrong: 'A fee is greater than its column holds.',
    kind: 'hotspots',
    line: info('iot', 'dc_onboarding_fee_paid', '9223372036854775808'),
    reason: `iot_info.dc_onboarding_fee_paid is 9223372036854775808; ${expectedFee}`,
  },
  {
    name: 'a negative fee',
    wrong: 'A fee is less than nothing.',
    kind: 'hotspots',
    line: info('iot', 'dc_onboarding_fee_paid', '"-1"'),
    reason: `iot_info.dc_onboarding_fee_paid is "-1"; ${expectedFee}`,
  },
  {
    name: 'an integer of a thousand digits',
    wrong: 'An integer has a thousand digits; the reason shows the first.',
    kind: 'hotspots',
    line: info('iot', 'elevation', '1'.repeat(1000)),
    reason: `iot_info.elevation is ${'1'.repeat(80)}…; ${expectedInteger}`,
  },
  {
    name: 'an object that is a list',
    wrong: 'What should be an object is a list.',
    kind: 'hotspots',
    line: hotspot({ iot_info: [] }),
    reason: 'iot_info is []; expected an object',
  },
  {
    name: 'a maker that is a text',
    wrong: 'The maker of a hotspot is its name alone.',
    kind: 'hotspots',
    line: hotspot({ maker: 'SenseCAP' }),
    reason: 'maker is "SenseCAP"; expected an object',
  },
  {
    name: 'an id that is no UUID',
    wrong: 'An id is no UUID.',
    kind: 'hotspots',
    line: hotspot({ id: '42' }),
    reason: 'id is "42"; expected a UUID',
  },
  {
    name: 'an id of a maker that is no UUID',
    wrong: 'The id of the maker of a hotspot is no UUID.',
    kind: 'hotspots',
    line: hotspot({ maker: { id: 'M' } }),
    reason: 'maker.id is "M"; expected a UUID',
  },
  {
    name: 'two members of one name',
    wrong: 'A record has a member twice, with different values.',
    kind: 'makers',
    line: JSON.stringify(makerRecord('wrong', { more: 1 })).replace('"more"', '"name"'),
    reason:
      "the record is not JSON (Duplicate key 'name' encountered at position 201); expected a JSON object in one line",
  },
  {
    name: 'brackets in brackets without end',
    wrong: 'A record is nested a hundred thousand levels deep.',
    kind: 'makers',
    line: '['.repeat(100_000),
    reason: 'the record is not JSON (Maximum call stack size exceeded); expected a JSON object in one line',
  },
]

const sound = (count: number) => Array.from({ length: count }, (_, at) => hotspotRecord(`sound-${at}`))
const list = (...parts: readonly string[]) => Buffer.from(parts.join(''))
const one = JSON.stringify(hotspotRecord('one'))
const wholeList = list('[', one, ' , ', one, '\n]')

export const recordFileFaults: readonly FileFaultCase[] = [
  {
    name: 'an empty file of hotspots',
    wrong: 'A file of records has nothing in it.',
    files: {
      'hotspots-1.ndjson': Buffer.alloc(0),
      'hotspots-2.json': Buffer.from('\n \r\n'),
      'hotspots-3.json.gz': gzipSync(''),
      'hotspots-4.json': Buffer.from('efbbbf', 'hex'),
    },
    reason: 'the file is empty; expected records, or [] for none',
  },
  {
    name: 'records in UTF-16',
    wrong: 'A file of records is UTF-16, as PowerShell writes it.',
    files: { 'hotspots-utf16.ndjson': Buffer.from(`\ufeff${one}`, 'utf16le') },
    reason: 'it is UTF-16; convert it to UTF-8',
  },
  {
    name: 'makers named hotspots',
    wrong: 'A file of makers is named as one of hotspots.',
    files: { 'hotspots-5.ndjson': Buffer.from(ndjson([makerRecord('1'), makerRecord('2')])) },
    reason:
      'no record of it is one of hotspots; record 0: asset_id is missing; expected a text in Unicode without NUL',
  },
  {
    name: 'hotspots named makers',
    wrong: 'A file of hotspots is named as one of makers.',
    files: { 'makers-1.json': list('[', one, ']') },
    reason:
      'no record of it is one of makers; record 0: address is missing; expected a text in Unicode without NUL',
  },
  {
    name: 'more than one refused record in a hundred',
    wrong: 'More than 10 records, and more than 1 % of the file, cannot be rows.',
    files: { 'hotspots-6.ndjson': Buffer.from(ndjson([...sound(20), ...new Array<unknown>(11).fill({})])) },
    reason:
      '11 of 31 records were refused, more than the limit of 10; the first is record 20: ' +
      'asset_id is missing; expected a text in Unicode without NUL',
  },
  {
    name: 'a list that is cut, at whatever byte',
    wrong: 'A list is cut, at whatever byte.',
    files: Object.fromEntries(
      Array.from(wholeList, (_, end) => [`hotspots-cut-${end}.json`, wholeList.subarray(0, end)] as const)
        .slice(1)
        .filter((_, at) => at % 5 === 0 || at > wholeList.length - 5),
    ),
    reason: 'the list breaks off before record N at byte N; expected a whole list',
  },
  {
    name: 'a page that is cut behind its list',
    wrong: 'A page of REST ends with its list.',
    files: { 'hotspots-7.json': list('{"meta":{},"records":[', one, ']') },
    reason: 'the list breaks off before record 1 at byte N; expected a whole list',
  },
  {
    name: 'a list without a comma',
    wrong: 'Two elements of a list have no comma between them.',
    files: { 'hotspots-8.json': list('[{}', '{}]') },
    reason: 'the list breaks before record 1 at byte 3, at "{}]"; expected a comma or the end of the list',
  },
  {
    name: 'a list with a comma too many',
    wrong: 'A list ends with a comma.',
    files: { 'hotspots-9.json': list('[{},]') },
    reason: 'the list breaks before record 1 at byte 4, at "]"; expected a record',
  },
  {
    name: 'something behind a list',
    wrong: 'Something follows a list.',
    files: { 'hotspots-10.json': list('[', ']\n', '[{}]') },
    reason: 'the list breaks before record 0 at byte 3, at "[{}]"; expected nothing behind the list',
  },
  {
    name: 'an element that is no JSON',
    wrong: 'An element of a list is no JSON, so that nothing behind it can be trusted.',
    files: { 'hotspots-11.json': list('[', one, ',{"asset_id" "a"}]') },
    reason:
      "record 1 of the list is not JSON (Colon ':' expected after property name but got '\"' at position 12); expected a JSON object",
  },
  {
    name: 'a record without end',
    wrong: 'A record is longer than any hotspot.',
    files: {
      'hotspots-12.ndjson': Buffer.from(`{"name":"${'x'.repeat(1_000_100)}`),
      'hotspots-13.json': Buffer.from(`[{"name":"${'x'.repeat(1_300_000)}"}]`),
    },
    reason: 'record 0 at byte N is longer than 1000000 bytes, the limit',
  },
]

export const acceptedRecords: readonly AcceptedFileCase[] = [
  {
    name: 'a list without elements',
    wrong: 'A list of makers has no elements.',
    file: 'makers-none.json',
    bytes: Buffer.from(' [ ]\n'),
    rows: 0,
  },
  {
    name: 'the same hotspot twice',
    wrong: 'A file has a hotspot twice: the later record counts.',
    file: 'hotspots-twice.ndjson',
    bytes: Buffer.from(
      ndjson([hotspotRecord('1'), hotspotRecord('2'), hotspotRecord('1', { owner: 'other' })]),
    ),
    rows: 2,
  },
]

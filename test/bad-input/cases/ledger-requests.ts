import { networks } from '../../support/specified.ts'
import type { RequestCase } from '../case.ts'

const ledger = '/v1/net/l1'
const hotspots = '/v1/net/l2/hotspots'
const aLong = 'use a whole number of at most 64 bits'
const aCell = 'use an H3 cell as a decimal integer, such as 631280284262249471'
const aCellOf8 = 'use an H3 cell of resolution 8 in hexadecimal digits, such as 882c212e93fffff'
const time = 'use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z'
const malformed = { status: 422, code: 'malformed_request' } as const
const notFound = { status: 404, code: 'not_found' } as const

/** Requests of the ledger, makers and hotspots. */
export const ledgerRequests: readonly RequestCase[] = [
  {
    name: 'a block that is no number',
    wrong: 'A block is no whole number.',
    address: `${ledger}/transactions?block=1e3`,
    ...malformed,
    sentence: `block is "1e3"; ${aLong}.`,
  },
  {
    name: 'a block beyond 64 bits',
    wrong: 'A block is beyond 64 bits.',
    address: `${ledger}/rewards?block=9223372036854775808`,
    ...malformed,
    sentence: `block is "9223372036854775808"; ${aLong}.`,
  },
  {
    name: 'a hexadecimal text that is no cell',
    wrong: 'A location_hex is no H3 cell.',
    address: `${ledger}/gateways?location_hex=nonsense`,
    ...malformed,
    sentence: `location_hex is "nonsense"; ${aCellOf8}.`,
  },
  {
    name: 'a cell of another resolution',
    wrong: 'A location_hex is a cell of resolution 12, as locations are.',
    address: `${ledger}/gateways?location_hex=8c2c212e928b3ff`,
    ...malformed,
    sentence: `location_hex is "8c2c212e928b3ff"; ${aCellOf8}; this one has resolution 12 and lies in 882c212e93fffff.`,
  },
  {
    name: 'a cell that is too large',
    wrong: 'A location_hex is a cell of resolution 5.',
    address: `${ledger}/gateways?location_hex=852c212ffffffff`,
    ...malformed,
    sentence: `location_hex is "852c212ffffffff"; ${aCellOf8}; this one has resolution 5.`,
  },
  {
    name: 'a time in seconds',
    wrong: 'A time of the ledger is given in seconds, as its records have it.',
    address: `${ledger}/packets?from=1600000030`,
    ...malformed,
    sentence: `from is "1600000030"; ${time}; since 1970 it is 2020-09-13T12:27:10Z.`,
  },
  {
    name: 'a range of the ledger without a moment',
    wrong: 'A range of the ledger ends when it begins.',
    address: `${ledger}/dc-burns?from=2021-01-01&to=2021-01-01T00:00:00Z`,
    ...malformed,
    sentence: 'from is "2021-01-01" and to is "2021-01-01T00:00:00Z"; from must be before to.',
  },
  {
    name: 'a cell in hexadecimal digits',
    wrong: 'A location is an H3 cell in hexadecimal digits.',
    address: `${hotspots}?iot_location=8c2a02d9e5121ff`,
    ...malformed,
    sentence: `iot_location is "8c2a02d9e5121ff"; ${aCell}.`,
  },
  {
    name: 'a number that is no cell',
    wrong: 'A location is a number, but no H3 cell.',
    address: `${hotspots}?mobile_location=9223372036854775807`,
    ...malformed,
    sentence: `mobile_location is "9223372036854775807"; ${aCell}.`,
  },
  {
    name: 'a cell that was rounded',
    wrong: 'A location went through a JSON reader that rounds integers.',
    address: `${hotspots}?iot_location=631280284262249500`,
    ...malformed,
    sentence:
      `iot_location is "631280284262249500"; ${aCell}; ` +
      'this one may have been rounded by a JSON reader, and integers=string gives cells as text.',
  },
  {
    name: 'a network that does not exist',
    wrong: 'One of the networks does not exist.',
    address: `${hotspots}?networks=iot,mobil`,
    ...malformed,
    sentence: `networks has "mobil"; use one of ${networks.join(', ')}; did you mean mobile?`,
  },
  {
    name: 'networks that are given one by one',
    wrong: 'Networks are given one by one.',
    address: `${hotspots}?networks=iot&networks=mobile`,
    ...malformed,
    sentence: 'networks is given 2 times; give it once.',
  },
  {
    name: 'a name that the archive has for a parameter',
    wrong: 'A parameter has the name that the archive has for it.',
    address: `${ledger}/gateways?owner=x&payer=y`,
    ...malformed,
    sentence:
      'owner is not a parameter here; did you mean owner_address? ' +
      'payer is not a parameter here; did you mean payer_address?',
  },
  {
    name: 'a filter in a lookup',
    wrong: 'A lookup is given a filter or a page.',
    address: `${ledger}/accounts/x?page=1`,
    ...malformed,
    sentence: 'page is not a parameter here; use integers, as_of.',
  },
  {
    name: 'an id that nobody has',
    wrong: 'No record has the id.',
    address: `${ledger}/transactions/00000000-0000-8000-8000-000000000000`,
    ...notFound,
    sentence: 'Transaction not found',
  },
  {
    name: 'a key that nobody has',
    wrong: 'No record has the key, whatever its length.',
    address: `${hotspots}/${'x'.repeat(400)}`,
    ...notFound,
    sentence: 'Hotspot not found',
  },
  {
    name: 'an id that is nearly a UUID',
    wrong: 'A UUID is cut, so that it is taken for a key.',
    address: '/v1/net/l2/makers/18aeba93-8ed8-45f2-b860-2a18c41208f',
    ...notFound,
    sentence: 'Maker not found',
  },
  {
    name: 'a key with a NUL character',
    wrong: 'A key has a NUL character, as none of a record has.',
    address: `${ledger}/gateways/a%00b`,
    ...notFound,
    sentence: 'Gateway not found',
  },
  {
    name: 'an id that is empty',
    wrong: 'The id is empty: two slashes end the address.',
    address: `${ledger}/accounts//`,
    ...notFound,
    sentence: 'Account not found',
  },
  {
    name: 'a path that climbs out of a lookup',
    wrong: 'The path climbs out of a lookup.',
    address: `${ledger}/accounts/../x`,
    ...notFound,
    sentence: `There is no GET ${ledger}/accounts/../x; the operations are listed at /.`,
  },
  {
    name: 'a lookup where there is none',
    wrong: 'Records of a list are looked up that has no lookup.',
    address: `${ledger}/rewards/1`,
    ...notFound,
    sentence: `There is no GET ${ledger}/rewards/1; the operations are listed at /.`,
  },
  {
    name: 'another method of a lookup',
    wrong: 'A lookup is asked with another method.',
    method: 'DELETE',
    address: `${ledger}/accounts/x`,
    status: 405,
    code: 'method_not_allowed',
    sentence: `${ledger}/accounts/x is asked with GET or HEAD, not with DELETE.`,
  },
]

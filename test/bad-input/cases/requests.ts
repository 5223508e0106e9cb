import type { RequestCase } from '../case.ts'
import { ledgerRequests } from './ledger-requests.ts'

const shares = '/v1/net/l2/iot-reward-shares'
const range = 'from=2025-01-01&to=2026-01-01'
const time = 'use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z'
const orDays = 'or give first_day and last_day'
const known =
  'use from, to, hotspot_key, reward_type, first_day, last_day, page, per_page, format, columns, locale, coverage, integers, as_of'
const malformed = { status: 422, code: 'malformed_request' } as const
const notFound = { status: 404, code: 'not_found' } as const

export const requests: readonly RequestCase[] = [
  {
    name: 'a parameter that is required and left out',
    wrong: 'Required parameters are left out.',
    address: shares,
    ...malformed,
    sentence: `from is required; ${time}, ${orDays}. to is required; ${time}, ${orDays}.`,
  },
  {
    name: 'a parameter that is required and blank',
    wrong: 'A required parameter is blank.',
    address: `${shares}?from=&to=2025-01-01`,
    ...malformed,
    sentence: `from is required; ${time}, ${orDays}.`,
  },
  {
    name: 'everything wrong at once',
    wrong: 'Several parameters are malformed; all are named at once.',
    address: `${shares}?from=yesterday&to=2025-02-30&page=0&per_page=101&integers=text&hotspot=x`,
    ...malformed,
    sentence:
      `hotspot is not a parameter here; did you mean hotspot_key? from is "yesterday"; ${time}. ` +
      `to is "2025-02-30"; ${time}. page is "0"; use a whole number from 1 to 9007199254740. ` +
      'per_page is "101"; use a whole number from 1 to 100. ' +
      'integers is "text"; use number or string.',
  },
  {
    name: 'a reward type that is misspelled',
    wrong: 'The type of the reward does not exist.',
    address: `${shares}/totals?${range}&reward_type=gatway_reward`,
    ...malformed,
    sentence:
      'reward_type is "gatway_reward"; use one of gateway_reward, operational_reward, unallocated_reward; ' +
      'did you mean gateway_reward?',
  },
  {
    name: 'a range that is empty',
    wrong: 'The range ends before it begins.',
    address: `${shares}?from=2025-02-01&to=2025-01-01`,
    ...malformed,
    sentence: 'from is "2025-02-01" and to is "2025-01-01"; from must be before to.',
  },
  {
    name: 'a parameter that is given twice',
    wrong: 'A parameter is repeated.',
    address: `${shares}?${range}&page=1&page=2`,
    ...malformed,
    sentence: 'page is given 2 times; give it once.',
  },
  {
    name: 'a parameter written as an array',
    wrong: 'A parameter is written as an array.',
    address: `${shares}?from[]=2025-01-01&to=2026-01-01`,
    ...malformed,
    sentence: `from[] is not a parameter here; did you mean from? from is required; ${time}, ${orDays}.`,
  },
  {
    name: 'a time as a number',
    wrong: 'A time is a number of milliseconds since 1970.',
    address: `${shares}?from=1735689600000&to=1738368000`,
    ...malformed,
    sentence:
      `from is "1735689600000"; ${time}; since 1970 it is 2025-01-01T00:00:00Z. ` +
      `to is "1738368000"; ${time}; since 1970 it is 2025-02-01T00:00:00Z.`,
  },
  {
    name: 'days beside a range',
    wrong: 'Days that were paid are given beside ends of epochs.',
    address: `${shares}?from=2025-01-01&to=2026-01-01&first_day=2025-02&last_day=2025-02-30`,
    ...malformed,
    sentence:
      'last_day is "2025-02-30"; use a day as in 2025-02-01, or a month as in 2025-02. ' +
      'from cannot be combined with first_day or last_day; use either from and to, or the days. ' +
      'to cannot be combined with first_day or last_day; use either from and to, or the days.',
  },
  {
    name: 'digits of another script',
    wrong: 'A number is written in digits of another script.',
    address: `${shares}?${range}&page=%D9%A3`,
    ...malformed,
    sentence: 'page is "٣"; use a whole number from 1 to 9007199254740.',
  },
  {
    name: 'a NUL character',
    wrong: 'A text contains a NUL character.',
    address: `${shares}?${range}&hotspot_key=a%00b`,
    ...malformed,
    sentence: 'hotspot_key contains a NUL character; remove it.',
  },
  {
    name: 'broken percent-encoding in a value',
    wrong: 'The percent-encoding of a value is broken.',
    address: `${shares}?from=%zz&to=2026-01-01`,
    ...malformed,
    sentence: `from is "%zz"; ${time}.`,
  },
  {
    name: 'a very long value',
    wrong: 'A value is very long; it is not repeated whole.',
    address: `${shares}?${range}&page=${'9'.repeat(8000)}`,
    ...malformed,
    sentence: `page is "${'9'.repeat(80)}…"; use a whole number from 1 to 9007199254740.`,
  },
  {
    name: 'a snapshot that does not exist',
    wrong: 'as_of names no snapshot.',
    address: `${shares}?${range}&as_of=latest`,
    ...malformed,
    sentence:
      'as_of is "latest"; use an id from the header Ledgerlake-Snapshot, or an instant such as 2026-07-01T00:00:00Z.',
  },
  {
    name: 'an unknown parameter that is near to a known one',
    wrong: 'A parameter is misspelt.',
    address: `${shares}?${range}&rewardtype=x`,
    ...malformed,
    sentence: 'rewardtype is not a parameter here; did you mean reward_type?',
  },
  {
    name: 'an unknown parameter that is near to none',
    wrong: 'A parameter is not known.',
    address: `${shares}?${range}&zzzzzz=1`,
    ...malformed,
    sentence: `zzzzzz is not a parameter here; ${known}.`,
  },
  {
    name: 'a thousand unknown parameters',
    wrong: 'Very many parameters are not known; ten are named and the others counted.',
    address: `${shares}?${range}&${Array.from({ length: 1000 }, (_, index) => `from${index}`).join('&')}`,
    ...malformed,
    sentence: `${Array.from({ length: 10 }, (_, index) => `from${index} is not a parameter here; did you mean from?`).join(' ')} from10 and 989 more cannot be parameters here either.`,
  },
  {
    name: 'a parameter without a name',
    wrong: 'A parameter has no name, or one that cannot be seen.',
    address: `${shares}?${range}&=1&%00=1`,
    ...malformed,
    sentence: `"" is not a parameter here; ${known}. "\\u0000" is not a parameter here; ${known}.`,
  },
  {
    name: 'a page of totals',
    wrong: 'Totals have no pages.',
    address: `${shares}/totals?${range}&page=1`,
    ...malformed,
    sentence:
      'page is not a parameter here; use from, to, hotspot_key, reward_type, first_day, last_day, coverage, integers, as_of.',
  },
  {
    name: 'a path that is not known',
    wrong: 'The path is not known.',
    address: '/v1/net/l2/nothing',
    ...notFound,
    sentence: 'There is no GET /v1/net/l2/nothing; the operations are listed at /.',
  },
  {
    name: 'a path out of the server',
    wrong: 'The path climbs out of the operations.',
    address: '/v1/net/../../etc/passwd',
    ...notFound,
    sentence: 'There is no GET /v1/net/../../etc/passwd; the operations are listed at /.',
  },
  {
    name: 'a very long path',
    wrong: 'The path is very long; it is not repeated whole.',
    address: `/${'x'.repeat(8000)}`,
    ...notFound,
    sentence: `There is no GET /${'x'.repeat(199)}; the operations are listed at /.`,
  },
  {
    name: 'a path whose percent-encoding is broken',
    wrong: 'The percent-encoding of the path is broken.',
    address: '/v1/net/l2/%zz',
    ...malformed,
    sentence:
      'The address cannot be read: its percent-encoding is broken; a percent sign itself is written %25.',
  },
  {
    name: 'a value that is not UTF-8',
    wrong: 'The percent-encoded bytes of a value are not UTF-8.',
    address: `${shares}?${range}&hotspot_key=%c0%ae`,
    ...malformed,
    sentence: 'hotspot_key is not valid UTF-8; use percent-encoded UTF-8.',
  },
  {
    name: 'a name that is not UTF-8',
    wrong: 'The percent-encoded bytes of a name are not UTF-8; half a surrogate pair is not, either.',
    address: `${shares}?${range}&%ed%a0%80=x`,
    ...malformed,
    sentence: '%ed%a0%80 is not valid UTF-8; use percent-encoded UTF-8.',
  },
  {
    name: 'another method',
    wrong: 'An operation is asked with another method.',
    method: 'DELETE',
    address: shares,
    status: 405,
    code: 'method_not_allowed',
    sentence: `${shares} is asked with GET or HEAD, not with DELETE.`,
  },
  ...ledgerRequests,
  {
    name: 'a method that nobody knows',
    wrong: 'The method is none of HTTP.',
    method: 'FETCH',
    address: shares,
    status: 501,
    code: 'malformed_request',
    sentence: 'The method of the request is none that is known; use GET, HEAD, POST or OPTIONS.',
  },
  {
    name: 'an address of more than 16 kB',
    wrong: 'The address is longer than 16 kB.',
    address: `${shares}?hotspot_key=${'x'.repeat(17_000)}`,
    status: 414,
    code: 'malformed_request',
    sentence: 'The address is longer than 16 kB, the limit.',
  },
]

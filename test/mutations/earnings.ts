import type { Fault } from './fault.ts'

/** Earnings by day, and files for spreadsheets. */
export const earningsFaults: readonly Fault[] = [
  {
    what: 'days after the newest data count as days without pay',
    file: 'src/answers/earnings/network-days.ts',
    find: 'if (date > newestDay) lacking.add(date)',
    replace: 'if (date > newestDay) lacking.delete(date)',
    tests: ['test/answers/earnings/earnings.test.ts'],
  },
  {
    what: 'a day without data has an amount of 0',
    file: 'src/answers/earnings/earnings.ts',
    find: '[missing.has(date) ? noData : incomplete',
    replace: '[missing.has(date) ? noPay : incomplete',
    tests: ['test/answers/earnings/earnings.test.ts'],
  },
  {
    what: 'the price of a token with six decimals is a hundred times too high',
    file: 'src/answers/earnings/earnings.ts',
    find: 'BigInt(rate) / unit',
    replace: 'BigInt(rate)',
    tests: ['test/answers/earnings/earnings.test.ts'],
  },
  {
    what: 'a payment in an unknown token counts as a line of a tax file',
    file: 'src/answers/earnings/earnings.ts',
    find: 'payments += ofDay.filter(({ amount }) => amount !== null).length',
    replace: 'payments += ofDay.length',
    tests: ['test/answers/earnings/tax-files.test.ts'],
  },
  {
    what: 'the rounded number of a workbook is cut',
    file: 'src/answers/export/workbook/workbook.ts',
    find: '((units + unit / 2n) / unit) * unit',
    replace: '(units / unit) * unit',
    tests: ['test/answers/earnings/workbook.test.ts'],
  },
  {
    what: 'numbers of a German spreadsheet keep their point',
    file: 'src/answers/export/formats/pens.ts',
    find: 'out.setUint8(index, COMMA)',
    replace: 'out.setUint8(index, POINT)',
    tests: ['test/answers/export/spreadsheet-locale.test.ts'],
  },
]

/** Texts of repairs in findings; commands are those of this program. */
export const repairs = {
  fromCopy: 'ledgerlake verify --repair --from DIR, where DIR is a backup or another copy of the lake',
  anew: 'ledgerlake verify --repair',
  vacuum: 'ledgerlake vacuum, once it is old enough',
  none: 'nothing',
} as const

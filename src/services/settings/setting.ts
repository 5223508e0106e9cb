import { type Reader, wholeNumberIn, yesOrNo } from './readers.ts'

/** Declares parser, placeholder and default of a setting; the setting adds its meaning. */
export const setting = <T>(reader: Reader<T>, placeholder: string, fallback = '') => ({
  ...{ reader, placeholder, fallback },
})

/** Declares a setting that is a whole number from `least` to `most`. */
export const numberSetting = (least: number, most: number, placeholder: string, fallback: number) =>
  setting(wholeNumberIn(least, most), placeholder, String(fallback))

/** Declares a flag without a value. */
export const onOff = (meaning: string) => ({ ...setting(yesOrNo, '', 'false'), meaning })

import { sentenceOf } from '../../errors.ts'

/** Prints a sentence on standard error. */
export const say = (sentence: string) => void process.stderr.write(`ledgerlake: ${sentence}\n`)

/** Files are checked again and again; an error that repeats is printed once. */
export function reporter(): (error: unknown) => void {
  const report = reporterOfMany()
  return (error) => report(0, sentenceOf(error))
}

/** The same where several processes meet the same error. */
export function reporterOfMany(print = say): (process: number, sentence: string) => void {
  const lastSaid = new Map<number, string>()
  return (process, sentence) => {
    if (![...lastSaid.values()].includes(sentence)) print(sentence)
    lastSaid.set(process, sentence)
  }
}

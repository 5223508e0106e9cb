import { onTestFinished, TestRunner } from 'vitest'

type Act = () => unknown

const ofTheFile: Act[] = []

/** Does this when the test is over; outside of a test, as in `beforeAll`, when its file is. The latest goes first. */
export function cleanUp(act: Act): void {
  if (TestRunner.getCurrentTest() === undefined) ofTheFile.push(act)
  else onTestFinished(async () => void (await act()))
}

/** Does this at the end of the file, also when a test asks for it: for what its other tests use too. */
export function cleanUpWithFile(act: Act): void {
  ofTheFile.push(act)
}

/** For the end of each file, after its own `afterAll`. */
export async function cleanUpFile(): Promise<void> {
  for (let act = ofTheFile.pop(); act !== undefined; act = ofTheFile.pop()) await act()
}

import { onTestFinished, TestRunner } from 'vitest'

type Act = () => unknown

const ofTheFile: Act[] = []

/** Does this when the test is over; outside of a test, as in `beforeAll`, when its file is. The latest goes first. */
export function cleanUp(act: Act): void {
  if (TestRunner.getCurrentTest() === undefined) ofTheFile.push(act)
  else onTestFinished(async () => void (await act()))
}

/** For the end of each file, after its own `afterAll`. */
export async function cleanUpFile(): Promise<void> {
  for (let act = ofTheFile.pop(); act !== undefined; act = ofTheFile.pop()) await act()
}

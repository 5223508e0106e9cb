import { openShell } from './shell.ts'

/** Makes the network and the lake of `npm start` in a folder. */
export async function makeSampleLake(folder: string): Promise<void> {
  const shell = openShell(folder)
  const hotspots = '--out network --hotspots 3000 --seed 1'
  const commands = `ledgerlake sample ${hotspots} --days 30
ledgerlake sample --l1 ${hotspots} --transactions 20000 --blocks 90000 --start 2023-02-10
ledgerlake ingest network --lake lake`
  const { code, output } = await shell.run(commands)
  if (code !== 0) throw new Error(output)
}

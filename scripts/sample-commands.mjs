/** Arguments of the commands that write the sample network of `npm start` into a folder. */
export function sampleCommands(out) {
  const hotspots = ['--out', out, '--hotspots', '3000', '--seed', '1']
  // The last two months of the ledger, the past of the same hotspots.
  const ledger = ['--transactions', '20000', '--blocks', '90000', '--start', '2023-02-10']
  return [
    ['sample', ...hotspots, '--days', '30'],
    ['sample', '--l1', ...hotspots, ...ledger],
  ]
}

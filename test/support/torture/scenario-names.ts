/** Every scenario by its name, apart from the program that they need. */
export const scenarioNames = [
  'first commit',
  'commit with a checkpoint',
  'first ingest',
  'ingest over a checkpoint',
  'ingest of other bytes',
  'first ledger',
  'newer states',
  'compact',
  'vacuum',
  'backup',
  'restore',
  'building what is derived',
  'keys add, the first',
  'keys add',
  'keys revoke',
  'counting of requests',
] as const

import { mkdtemp, rm } from 'node:fs/promises'
import { arch, cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { sentenceOf } from '../../base/errors.ts'
import { duckdbVersion, version } from '../../base/version.ts'
import { visible } from '../../base/visible.ts'
import { FORMAT } from '../../lake/log/table-format.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { examine } from '../../operate/doctor/examine.ts'
import { checkTexts, type DoctorFinding, NOT_CHECKED, problem, remark } from '../../operate/doctor/finding.ts'
import { thisMachine } from '../../operate/doctor/machine.ts'
import { openDerived } from '../../services/derived.ts'
import { stateFolderOf } from '../../services/folders.ts'
import { keyFileOf } from '../../services/keys.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { checkFilters } from '../check-filters.ts'
import { readCoverages } from '../coverages.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { counted, print, printJson } from '../terminal-text.ts'

export function addDoctorCommand(program: Command): void {
  withSettings(
    program
      .command('doctor')
      .description('Look for problems of the lake and its machine, and say what to do; nothing is written.')
      .option('--json', 'print the findings as JSON'),
    ['lake', 'state', 'keys'],
  ).action(async (flags: Flags) => {
    process.exitCode = await runDoctor(settingsFrom(flags), flags.json === true)
  })
}

/**
 * Checks a lake and its machine, prints the findings, and returns the exit code: 1 if there is a problem. Writes
 * nothing to the lake.
 */
async function runDoctor(settings: Settings, json: boolean): Promise<number> {
  const { lake } = settings
  const facts = {
    ...{ ledgerlake: version, node: process.version, duckdb: duckdbVersion, dataFormat: FORMAT },
    ...{ platform: `${platform()} ${arch()}`, cores: cpus().length },
  }
  const { findings, isRead } = await findingsOf(settings)
  const checked = isRead ? Object.keys(checkTexts) : ['lake']
  const problems = findings.filter(({ level }) => level === 'problem').length
  if (json) printJson({ lake, ...facts, findings, checked, notChecked: [NOT_CHECKED] })
  else {
    print(
      `ledgerlake ${facts.ledgerlake}, data format ${facts.dataFormat}, Node ${facts.node}, DuckDB ${facts.duckdb}`,
    )
    print(`${facts.platform}, ${facts.cores} cores; the lake is ${lake}`)
    for (const { level, check, what, why, run } of findings)
      for (const line of ['', `${level}, ${check}: ${what}`, `  why: ${why}`, `  run: ${run}`])
        print(visible(line))
    print('')
    print(`${counted(problems, 'problem')}, ${findings.length - problems} to note.`)
    print(isRead ? `Checked: ${Object.values(checkTexts).join('; ')}.` : 'Nothing but the log was checked.')
    print(`Not checked: ${NOT_CHECKED.what}; run ${NOT_CHECKED.run}.`)
  }
  return problems > 0 ? 1 : 0
}

/** Returns the findings, and whether the lake is readable. If not, only its log was checked. */
async function findingsOf(
  settings: Settings,
): Promise<{ findings: readonly DoctorFinding[]; isRead: boolean }> {
  const { lake } = settings
  const [state, keyFile] = [stateFolderOf(settings), keyFileOf(settings)]
  try {
    const at = await (await openLake(lake)).latest()
    const findings = [
      ...(await examine({ lake, state, keyFile, at, machine: await thisMachine() })),
      ...(await checkDerived(settings, at)),
      ...(await checkFilters(settings, at)),
      ...(await checkMissing(settings, at)),
    ]
    return { findings, isRead: true }
  } catch (error) {
    const run = 'ledgerlake restore --from DIR, or what the sentence says'
    return { findings: [problem('lake', sentenceOf(error), 'The lake cannot be read.', run)], isRead: false }
  }
}

/** Lists indexes that are missing, damaged, or of an older snapshot. */
async function checkDerived(settings: Settings, at: Snapshot): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const one of openDerived(settings)) {
    const lacking = await one.load(at)
    one.close?.()
    if (lacking.length === 0) continue
    const tables = lacking.map(({ resource }) => resource.name).join(', ')
    findings.push(
      remark(
        'indexes',
        `The ${one.name} of ${tables} ${lacking.length === 1 ? 'is' : 'are'} missing, damaged, or of an older snapshot.`,
        `Answers are the same; ${one.speedsUp} are slow.`,
        'nothing: serve builds them in the background, and so does the next ingest',
      ),
    )
  }
  return findings
}

/** Lists missing data. An engine reads the manifests, with a temporary state folder. */
async function checkMissing(settings: Settings, at: Snapshot): Promise<readonly DoctorFinding[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'ledgerlake-doctor-'))
  try {
    const { coverages, fault } = await readCoverages({ ...settings, state: scratch }, at)
    if (fault !== undefined)
      return [problem('missing data', fault, 'The missing days cannot be determined.', 'ledgerlake status')]
    return [...coverages].flatMap(([table, { epochs, manifests, files }]): readonly DoctorFinding[] => {
      const days = [...epochs.missing, ...(epochs.incomplete ?? [])].reduce((sum, run) => sum + run.days, 0)
      const unpriced = (manifests?.missing ?? []).reduce((sum, run) => sum + run.days, 0)
      if (days === 0 && unpriced === 0 && (files?.missing.count ?? 0) === 0) return []
      const manifestsToo = manifests === null ? '' : `, and manifests of ${counted(unpriced, 'day')}`
      return [
        remark(
          'missing data',
          `${table} lacks data of ${counted(days, 'day')}${manifestsToo}.`,
          'Totals lack what is missing; amounts without a manifest have no token and no price.',
          'ledgerlake status, which names them; then ingest them',
        ),
      ]
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

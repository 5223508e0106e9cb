import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { readKeys } from '../../keys/key-file.ts'
import { areKeysNeeded } from '../../keys/keys-needed.ts'
import { secretFileOf } from '../../keys/share-secret.ts'
import { usageFileOf } from '../../keys/usage-file.ts'
import { defaultKeyFile, logFolder, stagingFolder, tableFolder } from '../../lake/disk/layout.ts'
import { readOriginMark } from '../../lake/disk/origin-mark.ts'
import { type DoctorCheck, type DoctorFinding, problem, remark } from './finding.ts'

const may = (path: string, mode = constants.F_OK) =>
  access(path, mode).then(
    () => true,
    () => false,
  )

/** Checks the rights of the current user; `sudo -u USER ledgerlake doctor` checks those of another. */
export const checkAccess: DoctorCheck = async ({ lake, state, at }) => {
  const tables = at.tables.map(({ resource }) => tableFolder(lake, resource))
  const folders = [lake, stagingFolder(lake), ...tables.flatMap((table) => [table, logFolder(table)])]
  const closed: string[] = []
  for (const path of folders) if ((await may(path)) && !(await may(path, constants.W_OK))) closed.push(path)
  const findings: DoctorFinding[] = []
  if (closed.length > 0) {
    const more = closed.length === 1 ? '' : ` and ${closed.length - 1} more folders`
    const why = 'ingest, compact and vacuum fail as this user; serve does not need it.'
    const run = `chown -R USER ${lake}, for the user that ingests`
    findings.push(remark('permissions', `This user may not write ${closed[0]}${more}.`, why, run))
  }
  const folder = (await may(state)) ? state : dirname(state)
  if (!(await may(folder, constants.W_OK))) {
    const why = 'Nothing is indexed there, so filters and hotspots are slow, and large queries cannot spill.'
    const run = '--state naming a folder that can be written'
    findings.push(remark('permissions', `This user may not write the state folder ${state}.`, why, run))
  }
  return findings
}

/**
 * Checks that every file of the snapshot exists, has the logged size and is readable. Does not read the bytes. A copy
 * of a lake fetches files on demand, so missing files are fine there.
 */
export const checkFiles: DoctorCheck = async ({ at, lake }) => {
  const isCopy = readOriginMark(lake) !== undefined
  const findings: DoctorFinding[] = []
  const wrong = (what: string, run = 'copy the file from a backup (ledgerlake restore, or cp)') =>
    findings.push(problem('data files', what, 'Requests that need the file fail.', run))
  for (const { path, bytes } of at.tables.flatMap(({ files }) => files)) {
    const facts = await stat(path).catch(() => undefined)
    if (facts === undefined && isCopy) continue
    if (facts === undefined) wrong(`${path} is missing.`)
    else if (facts.size !== bytes) wrong(`${path} has ${facts.size} bytes where the log says ${bytes}.`)
    else if (!(await may(path, constants.R_OK)))
      wrong(`This user may not read ${path}.`, `chmod u+r ${path}, or chown it`)
  }
  return findings
}

export const checkKeys: DoctorCheck = async ({ lake, keyFile }) => {
  try {
    const keys = await readKeys(keyFile)
    if (keys === undefined) {
      if (keyFile === defaultKeyFile(lake) && !(await areKeysNeeded(lake))) return []
      const run =
        'ledgerlake restore --with-keys, or ledgerlake keys add; ledgerlake keys off to serve without'
      return [problem('keys', `The key file ${keyFile} is missing.`, 'serve does not start.', run)]
    }
    const findings: DoctorFinding[] = []
    for (const path of [keyFile, usageFileOf(keyFile), secretFileOf(keyFile)]) {
      const mode = (await stat(path).catch(() => undefined))?.mode ?? 0
      if ((mode & 0o077) === 0) continue
      const what = `${path} has the mode ${(mode & 0o777).toString(8)}, so other users may ${(mode & 0o022) === 0 ? 'read' : 'write'} it.`
      const why = 'They learn who has keys, and could change what keys may do.'
      findings.push(problem('keys', what, why, `chmod 600 ${path}`))
    }
    if (keys.every(({ revoked }) => revoked !== undefined)) {
      const run = 'ledgerlake keys add --name NAME, or keys off'
      findings.push(problem('keys', `${keyFile} has no key in use.`, 'No request is answered.', run))
    }
    return findings
  } catch (error) {
    const why = 'No key is accepted, and serve does not start.'
    return [problem('keys', sentenceOf(error), why, `restore ${join(keyFile)} from a copy`)]
  }
}

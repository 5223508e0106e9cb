import { code, page, table, written } from '../../src/derive/reference/markdown.ts'
import type { RequestCase, SurroundingsCase } from './case.ts'
import { acceptedParts, archiveFaults, archiveRecordFaults } from './cases/archive.ts'
import { damages, dataDamages } from './cases/damage.ts'
import { acceptedFiles, fileFaults } from './cases/file-faults.ts'
import { otherKinds } from './cases/other-kinds.ts'
import { paths } from './cases/paths.ts'
import { acceptedRecords, recordFaults, recordFileFaults } from './cases/records.ts'
import { requests } from './cases/requests.ts'
import { rowFaults } from './cases/row-faults.ts'
import { surroundings } from './cases/surroundings.ts'

const LONGEST_SHOWN = 160

/** What ledgerlake does with bad input, told from the cases that the tests run. */
export function badInputPage(): string {
  return page(
    '# Bad input',
    written('the cases in `test/bad-input/cases`'),
    'Each line is a case that a test runs with the built program, and whose sentence it compares word by word. ' +
      'In sentences `N` stands for a number, `DIGEST` for a SHA-256, `RUN` for a name of one run, ' +
      '`REQUEST` for a request id, `FOLDER` for the folder that the program was started in.',
    '## Messages that cannot be rows',
    '`ingest` stores the rest of the file and ends with 0. The message is kept in the table `rejects` with its source, ' +
      'its place in it, its bytes and the reason. The summary and `status` count it.',
    table(
      ['What is wrong', 'Kind of file', 'Reason'],
      rowFaults.map(({ wrong, kind, reason }) => [wrong, code(kind), code(reason)]),
    ),
    '## Records that cannot be rows',
    'The same for a line, or an element of a list, of a file of makers or hotspots. A file of which no record can be a row ' +
      'is one that cannot be trusted.',
    table(
      ['What is wrong', 'Kind of file', 'Reason'],
      recordFaults.map(({ wrong, kind, reason }) => [wrong, code(kind), code(reason)]),
    ),
    '## Records of the ledger archive that cannot be rows',
    'The same. Records that could not be cut into cells come behind the others; their reason names the line, where breaks ' +
      'within quotes are not counted.',
    table(
      ['What is wrong', 'Folder', 'Reason'],
      archiveRecordFaults.map(({ wrong, folder, reason }) => [wrong, code(folder), code(reason)]),
    ),
    '## Files that cannot be trusted',
    'Nothing of the file is stored, and the lake is as it was. `ingest` names the file as `failed: PATH: REASON`, ' +
      'goes on with the others, and ends with 3. Once the file is whole, the same command takes it in.',
    reasons([...fileFaults, ...recordFileFaults]),
    '## Files of another kind than their name says',
    'The same.',
    reasons(otherKinds),
    '## Parts of the ledger archive that cannot be trusted',
    'The same.',
    reasons(archiveFaults),
    '## Files that look odd and are taken in',
    table(
      ['What is odd', 'Rows stored'],
      [...acceptedFiles, ...acceptedRecords, ...acceptedParts].map(({ wrong, rows }) => [
        wrong,
        String(rows),
      ]),
    ),
    '## Paths that are no file to read',
    'They are named as files that cannot be trusted are; the others go on, and `ingest` ends with 3. Below a folder that ' +
      'is given, a link is followed when it leads to something inside that folder, and a link to a folder in it is not walked ' +
      'twice. A path that is given itself is followed wherever it leads.',
    reasons(paths),
    '## Surroundings that do not let the program work',
    'The lake is as it was before, byte by byte, and nothing is left in `_staging`.',
    table(
      ['What is wrong', 'Command', 'Standard error', 'Exit code'],
      surroundings.map(describeSurroundings),
    ),
    '## Damage to the log of a table',
    '`ingest`, `status` and `serve` say the sentence, end with 4 and write nothing. A lake that is served already answers ' +
      'from the last sound version and says the sentence once on standard error.',
    table(
      ['What is wrong', 'Standard error'],
      damages.map(({ wrong, sentence }) => [wrong, code(`ledgerlake: ${sentence}`)]),
    ),
    '## Damage to a data file',
    'A request that needs the file is answered with 503 `lake_damaged`. What the log tells alone, such as totals of the network, is ' +
      'still answered, and new files are still taken in.',
    table(
      ['What is wrong', 'Member `error` of the reply'],
      dataDamages.map(({ wrong, sentence }) => [wrong, code(sentence)]),
    ),
    '## Several programs on one lake',
    'Ingests of the same files at the same time store every file once: a run counts as skipped what another one stored first. ' +
      'Of two files with one name and different bytes one is stored and the other one fails. A request sees a commit as a whole or not at all.',
    '## Requests',
    'No reply shows a path of the server, a statement, or where in the program something happened.',
    table(
      ['What is wrong', 'Request', 'Status', 'Code', 'Member `error` of the reply'],
      requests.map(describeRequest),
    ),
  )
}

function reasons(cases: readonly { readonly wrong: string; readonly reason: string }[]): string {
  return table(
    ['What is wrong', 'Reason'],
    cases.map(({ wrong, reason }) => [wrong, code(reason)]),
  )
}

function describeSurroundings({ wrong, command, sentence, exit }: SurroundingsCase): readonly string[] {
  return [wrong, code(command.join(' ')), code(`ledgerlake: ${sentence}`), String(exit)]
}

function describeRequest({ wrong, method = 'GET', address, status, code: name, sentence }: RequestCase) {
  return [
    wrong,
    code(`${method} ${shortened(address)}`),
    String(status),
    code(name),
    code(shortened(sentence)),
  ]
}

/** Long texts of one letter say nothing more to a reader. */
function shortened(text: string): string {
  return text.length > LONGEST_SHOWN * 3 || /(.)\1{40}/.test(text) ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

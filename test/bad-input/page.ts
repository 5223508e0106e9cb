import { generatedNote, inlineCode, markdownTable, page } from '../../scripts/reference/markdown.ts'
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

/** What ledgerlake does with bad input, written from the cases that the tests run. */
export function badInputPage(): string {
  return page(
    '# Bad input',
    generatedNote('the cases in `test/bad-input/cases`'),
    'Each line is a case that a test runs with the built program; the message is compared word for word. ' +
      'In messages `N` stands for a number, `DIGEST` for a SHA-256, `RUN` for a name of one run, ' +
      '`REQUEST` for a request id, `FOLDER` for the folder that the program was started in.',
    '## Messages that cannot be rows',
    '`ingest` stores the rest of the file and exits with 0. The message is kept in the table `rejects` with its source, ' +
      'its position, its bytes and the reason. The summary and `status` count it.',
    markdownTable(
      ['Fault', 'Kind of file', 'Reason'],
      rowFaults.map(({ wrong, kind, reason }) => [wrong, inlineCode(kind), inlineCode(reason)]),
    ),
    '## Records that cannot be rows',
    'The same for a line, or an element of a list, of a file of makers or hotspots. A file in which no record can be ' +
      'a row is invalid.',
    markdownTable(
      ['Fault', 'Kind of file', 'Reason'],
      recordFaults.map(({ wrong, kind, reason }) => [wrong, inlineCode(kind), inlineCode(reason)]),
    ),
    '## Records of the ledger archive that cannot be rows',
    'The same. Records that cannot be split into cells come last; their reason names the line, not counting line ' +
      'breaks within quotes.',
    markdownTable(
      ['Fault', 'Folder', 'Reason'],
      archiveRecordFaults.map(({ wrong, folder, reason }) => [wrong, inlineCode(folder), inlineCode(reason)]),
    ),
    '## Invalid files',
    'Nothing of the file is stored. `ingest` reports it as `failed: PATH: REASON`, continues with the other files and exits with 3. ' +
      'Once the file is repaired, the same command ingests it.',
    reasons([...fileFaults, ...recordFileFaults]),
    '## Files of another kind than their name says',
    'The same.',
    reasons(otherKinds),
    '## Invalid parts of the ledger archive',
    'The same.',
    reasons(archiveFaults),
    '## Unusual files that are ingested',
    markdownTable(
      ['Unusual input', 'Rows stored'],
      [...acceptedFiles, ...acceptedRecords, ...acceptedParts].map(({ wrong, rows }) => [
        wrong,
        String(rows),
      ]),
    ),
    '## Paths that are not readable files',
    'They are reported as invalid files are; `ingest` continues with the others and exits with 3. Below a given folder a symbolic link ' +
      'is followed when it leads to something inside that folder, and no folder is read twice. A given path itself ' +
      'is followed wherever it leads.',
    reasons(paths),
    '## Environments in which the program cannot work',
    'The lake is unchanged, byte for byte, and nothing is left in `_staging`.',
    markdownTable(
      ['Fault', 'Command', 'Standard error', 'Exit code'],
      surroundings.map(describeSurroundings),
    ),
    '## Damage to the log of a table',
    '`ingest`, `status` and `serve` print the message, exit with 4 and write nothing. A server that is already running answers ' +
      'from the last valid version and prints the message once on standard error.',
    markdownTable(
      ['Fault', 'Standard error'],
      damages.map(({ wrong, sentence }) => [wrong, inlineCode(`ledgerlake: ${sentence}`)]),
    ),
    '## Damage to a data file',
    'A request that needs the file gets 503 `lake_damaged`. Requests that the log alone answers, such as network totals, are ' +
      'still answered, and new files are still ingested.',
    markdownTable(
      ['Fault', 'Member `error` of the reply'],
      dataDamages.map(({ wrong, sentence }) => [wrong, inlineCode(sentence)]),
    ),
    '## Several programs on one lake',
    'Concurrent ingests of the same files store every file once: a run counts as skipped what another run stored first. ' +
      'Of two files with the same name and different bytes one is stored and the other fails. Commits are atomic.',
    '## Requests',
    'No reply shows a path of the server, a statement, or where in the program something happened.',
    markdownTable(
      ['Fault', 'Request', 'Status', 'Code', 'Member `error` of the reply'],
      requests.map(describeRequest),
    ),
  )
}

function reasons(cases: readonly { readonly wrong: string; readonly reason: string }[]): string {
  return markdownTable(
    ['Fault', 'Reason'],
    cases.map(({ wrong, reason }) => [wrong, inlineCode(reason)]),
  )
}

function describeSurroundings({ wrong, command, sentence, exit }: SurroundingsCase): readonly string[] {
  return [wrong, inlineCode(command.join(' ')), inlineCode(`ledgerlake: ${sentence}`), String(exit)]
}

function describeRequest({ wrong, method = 'GET', address, status, code: name, sentence }: RequestCase) {
  return [
    wrong,
    inlineCode(`${method} ${shortened(address)}`),
    String(status),
    inlineCode(name),
    inlineCode(shortened(sentence)),
  ]
}

/** Long texts of one letter say nothing more to a reader. */
function shortened(text: string): string {
  return text.length > LONGEST_SHOWN * 3 || /(.)\1{40}/.test(text) ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

import { type HintPredicate, type Operator, unknownPredicate } from './predicate.ts'

const COLUMN = '(?:`(?<quoted>[^`]+)`|(?<bare>[A-Za-z_]\\w*))'
/** Engines differ in backslashes and double quotes, so neither is accepted. */
const VALUE = "(?:'(?<text>(?:[^'\\\\]|'')*)'|(?<whole>-?\\d{1,38}))"
const OPERATOR = '(?<operator><=|>=|<>|!=|==?|<|>)'

const columnFirst = new RegExp(`^\\s*${COLUMN}\\s*${OPERATOR}\\s*${VALUE}\\s*$`)
const valueFirst = new RegExp(`^\\s*${VALUE}\\s*${OPERATOR}\\s*${COLUMN}\\s*$`)
const nullTest = new RegExp(`^\\s*${COLUMN}\\s+IS\\s+(?<not>NOT\\s+)?NULL\\s*$`, 'i')

const mirrored: Readonly<Record<string, Operator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=' }

/** Parses one `predicateHints` entry that compares one column with one value. Others become unknown predicates, as the protocol allows. */
export function readSqlHint(hint: string): HintPredicate {
  const isNull = nullTest.exec(hint)?.groups
  if (isNull !== undefined) {
    const part: HintPredicate = { is: 'null', column: nameIn(isNull) }
    return isNull.not === undefined ? part : { is: 'not', part }
  }
  const first = columnFirst.exec(hint)?.groups
  const groups = first ?? valueFirst.exec(hint)?.groups
  if (groups === undefined) return unknownPredicate
  const { operator = '' } = groups
  const isUnequal = operator === '<>' || operator === '!='
  const plain = isUnequal || operator === '==' ? '=' : operator
  const part: HintPredicate = {
    is: 'compare',
    column: nameIn(groups),
    operator: first === undefined ? (mirrored[plain] ?? '=') : (plain as Operator),
    value:
      groups.whole === undefined ? String(groups.text).replaceAll("''", "'") : BigInt(String(groups.whole)),
  }
  return isUnequal ? { is: 'not', part } : part
}

const nameIn = ({ quoted, bare }: Readonly<Record<string, string | undefined>>) => quoted ?? bare ?? ''

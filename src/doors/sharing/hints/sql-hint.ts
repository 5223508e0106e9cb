import { type Operator, type Predicate, unknownPredicate } from './predicate.ts'

const COLUMN = '(?:`(?<quoted>[^`]+)`|(?<bare>[A-Za-z_]\\w*))'
/** A backslash means something else to each engine, and so do double quotes. */
const VALUE = "(?:'(?<text>(?:[^'\\\\]|'')*)'|(?<whole>-?\\d{1,38}))"
const OPERATOR = '(?<operator><=|>=|<>|!=|==?|<|>)'

const columnFirst = new RegExp(`^\\s*${COLUMN}\\s*${OPERATOR}\\s*${VALUE}\\s*$`)
const valueFirst = new RegExp(`^\\s*${VALUE}\\s*${OPERATOR}\\s*${COLUMN}\\s*$`)
const nullTest = new RegExp(`^\\s*${COLUMN}\\s+IS\\s+(?<not>NOT\\s+)?NULL\\s*$`, 'i')

const turned: Readonly<Record<string, Operator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=' }

/** A predicate of `predicateHints`: one column beside one value. Anything else is left alone, as the protocol allows. */
export function readSqlHint(hint: string): Predicate {
  const isNull = nullTest.exec(hint)?.groups
  if (isNull !== undefined) {
    const part: Predicate = { is: 'null', column: nameIn(isNull) }
    return isNull.not === undefined ? part : { is: 'not', part }
  }
  const first = columnFirst.exec(hint)?.groups
  const groups = first ?? valueFirst.exec(hint)?.groups
  if (groups === undefined) return unknownPredicate
  const { operator = '' } = groups
  const isUnequal = operator === '<>' || operator === '!='
  const plain = isUnequal || operator === '==' ? '=' : operator
  const part: Predicate = {
    is: 'compare',
    column: nameIn(groups),
    operator: first === undefined ? (turned[plain] ?? '=') : (plain as Operator),
    value:
      groups.whole === undefined ? String(groups.text).replaceAll("''", "'") : BigInt(String(groups.whole)),
  }
  return isUnequal ? { is: 'not', part } : part
}

const nameIn = ({ quoted, bare }: Readonly<Record<string, string | undefined>>) => quoted ?? bare ?? ''

import { ServiceError, sentenceOf } from '../../errors.ts'

/** What the engine says where the operating system refuses it, by the code that Node has for it. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/No space left|not enough space/i, 'ENOSPC'],
  [/Permission denied/i, 'EACCES'],
  [/Read-only file system/i, 'EROFS'],
  [/Too many open files/i, 'EMFILE'],
  [/File too large/i, 'EFBIG'],
]

/** An error of the engine with the code of what the operating system refused; any other as it is. */
function withCode(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const sentence = sentenceOf(error)
  const code = refusals.find(([pattern]) => pattern.test(sentence))?.[1]
  return code === undefined ? error : Object.assign(new Error(sentence, { cause: error }), { code })
}

/** The same port; its methods throw what the operating system refuses as Node does, with a code. */
export function withErrnoCodes<T extends object>(port: T): T {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]) => {
        try {
          const result: unknown = member.apply(target, given)
          return result instanceof Promise ? result.catch((error) => Promise.reject(withCode(error))) : result
        } catch (error) {
          throw withCode(error)
        }
      }
    },
  })
}

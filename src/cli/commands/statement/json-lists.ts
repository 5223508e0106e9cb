import { isList, type Json, membersOf } from '../../../base/values/json-writer.ts'

/** Returns the objects of a list; none for any other value. */
export const objectsIn = (value: Json | undefined) => (isList(value) ? value.map(membersOf) : [])

/** Returns the items of a list as texts; none for any other value. */
export const textsIn = (value: Json | undefined) => (isList(value) ? value.map(String) : [])

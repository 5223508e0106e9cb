import { isList, isObject, type Json } from '../../../base/values/json-writer.ts'

export type Members = Readonly<Record<string, Json>>

/** The members of an object; none of another value. */
export const membersOf = (value: Json | undefined): Members => (isObject(value) ? value : {})
/** The objects of a list; none of another value. */
export const list = (value: Json | undefined) => (isList(value) ? value.map(membersOf) : [])
/** The items of a list as texts; none of another value. */
export const texts = (value: Json | undefined) => (isList(value) ? value.map(String) : [])

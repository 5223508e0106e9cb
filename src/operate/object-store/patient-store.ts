import type { WritableStore } from './object-store.ts'
import { type Patience, repeated, usualPatience } from './repeated.ts'

/** A store whose requests are sent again while their faults may pass. What breaks off while it is read is left to the reader. */
export function patientStore(store: WritableStore, patience: Patience = usualPatience): WritableStore {
  return {
    list: (query, signal) => repeated(() => store.list(query, signal), patience, signal),
    head: (key, signal) => repeated(() => store.head(key, signal), patience, signal),
    read: (object, from, signal) => repeated(() => store.read(object, from, signal), patience, signal),
    get: (key, signal, unless) => repeated(() => store.get(key, signal, unless), patience, signal),
    put: (key, content, signal) => repeated(() => store.put(key, content, signal), patience, signal),
    create: (key, content, signal) => repeated(() => store.create(key, content, signal), patience, signal),
    remove: (keys, signal) => repeated(() => store.remove(keys, signal), patience, signal),
    close: () => store.close(),
  }
}

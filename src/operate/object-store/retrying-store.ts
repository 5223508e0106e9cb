import type { WritableStore } from './object-store.ts'
import { defaultRetryPolicy, type RetryPolicy, retryRequest } from './retry-request.ts'

/** Wraps a store so that requests with passing faults are retried. The reader must handle broken bodies. */
export function retryingStore(
  store: WritableStore,
  patience: RetryPolicy = defaultRetryPolicy,
): WritableStore {
  return {
    list: (query, signal) => retryRequest(() => store.list(query, signal), patience, signal),
    head: (key, signal) => retryRequest(() => store.head(key, signal), patience, signal),
    read: (object, from, signal) => retryRequest(() => store.read(object, from, signal), patience, signal),
    get: (key, signal, unless) => retryRequest(() => store.get(key, signal, unless), patience, signal),
    put: (key, content, signal) => retryRequest(() => store.put(key, content, signal), patience, signal),
    create: (key, content, signal) =>
      retryRequest(() => store.create(key, content, signal), patience, signal),
    remove: (keys, signal) => retryRequest(() => store.remove(keys, signal), patience, signal),
    close: () => store.close(),
  }
}

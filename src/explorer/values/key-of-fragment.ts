/** Begins the fragment of a link that carries a key. A browser sends no fragment to a server. */
const LINKED = '#key='

/** Returns the key in the fragment of an address; undefined for another fragment. */
export function keyOfFragment(fragment: string): string | undefined {
  return fragment.startsWith(LINKED) ? fragment.slice(LINKED.length).trim() : undefined
}

import { decodeText, reach, refusalOfResponse } from '../ask/api.ts'
import { knownKey } from '../ask/keys.ts'
import { fill, h } from './h.ts'

/** A link that saves a file. A link cannot send a key, so with a key the file is fetched first. */
export function download(text: string, address: string, name: string): HTMLElement {
  const said = h('span.quiet', { role: 'status' })
  const link = h('a.button', { href: address, download: name, 'data-plain': true, click: begin }, text)

  function begin(event: Event): void {
    if (knownKey() === null || link.href.startsWith('blob:')) return
    event.preventDefault()
    fill(said, ' Fetching…')
    fetched(address)
      .then((blob) => {
        link.href = URL.createObjectURL(blob)
        link.click()
        URL.revokeObjectURL(link.href)
        link.href = address
        fill(said)
      })
      .catch((error: unknown) => fill(said, ` ${error instanceof Error ? error.message : String(error)}`))
  }

  return h('span', link, said)
}

async function fetched(address: string): Promise<Blob> {
  const { response, bytes } = await reach(address, new AbortController().signal)
  if (!response.ok) throw refusalOfResponse(response, decodeText(bytes))
  return new Blob([bytes], { type: response.headers.get('Content-Type') ?? '' })
}

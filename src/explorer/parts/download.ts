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
      .then((file) => {
        link.href = URL.createObjectURL(file.blob)
        link.download = file.name ?? name
        link.click()
        URL.revokeObjectURL(link.href)
        link.href = address
        fill(said)
      })
      .catch((error: unknown) => fill(said, ` ${error instanceof Error ? error.message : String(error)}`))
  }

  return h('span', link, said)
}

/** Fetches a file with its key, and the name that the server gives it. */
async function fetched(address: string): Promise<{ readonly blob: Blob; readonly name: string | undefined }> {
  const { response, bytes } = await reach(address, new AbortController().signal)
  if (!response.ok) throw refusalOfResponse(response, decodeText(bytes))
  const [, given] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  return { blob: new Blob([bytes], { type: response.headers.get('Content-Type') ?? '' }), name: given }
}

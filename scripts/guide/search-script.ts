/** Finds sections with all words of the query, matches in titles first, and shows text around the first word. The index is part of the page. */
export const searchScript = `
const sections = JSON.parse(document.getElementById('index').textContent)
const question = new URLSearchParams(location.search).get('q') ?? ''
const words = question.toLowerCase().split(/\\s+/).filter((word) => word !== '')
const hitList = document.getElementById('found')

function weight({ page, title, text }) {
  let sum = 0
  for (const word of words) {
    const inTitle = title.toLowerCase().includes(word), inText = text.toLowerCase().includes(word)
    if (!inTitle && !inText && !page.toLowerCase().includes(word)) return 0
    sum += inTitle ? 10 : inText ? 2 : 1
  }
  return sum
}

function around(text) {
  const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((own) => own >= 0), text.length) - 60)
  return (at > 0 ? '…' : '') + text.slice(at, at + 200) + (at + 200 < text.length ? '…' : '')
}

for (const field of document.querySelectorAll('input[name=q]')) field.value = question
const hits = words.length === 0 ? [] : sections.map((section) => ({ section, sum: weight(section) }))
  .filter(({ sum }) => sum > 0).sort((one, other) => other.sum - one.sum).slice(0, 40)
document.getElementById('count').textContent = words.length === 0 ? '' :
  hits.length === 0 ? 'Nothing has all these words.' : hits.length + (hits.length === 1 ? ' section' : ' sections')
for (const { section } of hits) {
  const item = document.createElement('li'), link = document.createElement('a'), shown = document.createElement('p')
  link.href = section.href
  link.textContent = section.page === section.title ? section.page : section.page + ': ' + section.title
  shown.textContent = around(section.text)
  item.append(link, shown)
  hitList.append(item)
}
`

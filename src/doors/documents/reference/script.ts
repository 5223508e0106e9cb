/** Sends the forms and shows the reply as text: JSON.parse would round integers. The key stays in its field. */
export const pageScript = `
const key = document.getElementById('key')
for (const hidden of document.querySelectorAll('form, .key')) hidden.hidden = false

async function send(form) {
  const { path, method } = form.dataset
  const given = [...new FormData(form)].filter(([, value]) => value.trim() !== '')
  const inPath = (name) => path.includes('{' + name + '}')
  const query = new URLSearchParams(given.filter(([name]) => name !== 'body' && !inPath(name)))
  const address = given.filter(([name]) => inPath(name)).reduce(
    (text, [name, value]) => text.replace('{' + name + '}', encodeURIComponent(value)), path)
  const headers = key.value === '' ? {} : { Authorization: 'Bearer ' + key.value }
  const body = given.find(([name]) => name === 'body')?.[1]
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const began = performance.now()
  const reply = await fetch(address + (query.size === 0 ? '' : '?' + query), { method, headers, body })
  const text = await reply.text()
  return { said: reply.status + ' in ' + Math.round(performance.now() - began) + ' ms', text }
}

document.addEventListener('submit', async (event) => {
  event.preventDefault()
  const [said, shown] = ['output', 'pre'].map((name) => event.target.querySelector(name))
  said.textContent = '…'
  const answer = await send(event.target).catch((error) => ({ said: 'no answer', text: String(error) }))
  said.textContent = answer.said
  shown.textContent = answer.text
  shown.hidden = false
})
`

import { copyButton } from '../parts/copy-button.ts'

import { div, fill, h } from '../parts/h.ts'
import { forgetButton, KEY_CHANGED } from '../parts/key-form.ts'
import { masthead } from '../parts/masthead.ts'
import { isLeft, panel } from '../parts/panel.ts'
import { isJson } from '../values/pretty-json.ts'
import { hashOf, type Question, questionIn } from '../values/question.ts'
import { answerView } from './answer-view.ts'
import { askQuestion, askSchema } from './ask.ts'
import { exampleChoice } from './example-choice.ts'
import { examples } from './examples.ts'
import { questionView } from './question-view.ts'

/** The GraphQL page: an editor for a query, its response, and the schema. */

/** Delay between the last keystroke and the update of the address. */
const PAUSE_MS = 400

const { base = '' } = document.documentElement.dataset
const address = `${base}/graphql`
const answer = answerView()
const written = questionView({ run: () => void run(), changed })
const schemaPlace = h('div.schema')
let asking = new AbortController()
let pause: ReturnType<typeof setTimeout> | undefined

async function run(): Promise<void> {
  asking.abort()
  asking = new AbortController()
  const { signal } = asking
  const question = written.question()
  keepInAddress()
  if (question.variables.trim() !== '' && !isJson(question.variables))
    return answer.refuse(new Error('The variables are not valid JSON.'), () => void run())
  answer.waiting()
  try {
    answer.show(await askQuestion(address, question, signal))
  } catch (error) {
    if (!isLeft(error)) answer.refuse(error, () => void run())
  }
}

function changed(): void {
  clearTimeout(pause)
  pause = setTimeout(keepInAddress, PAUSE_MS)
}

function keepInAddress(): void {
  clearTimeout(pause)
  history.replaceState(null, '', address + hashOf(written.question()))
}

function link(): string {
  keepInAddress()
  return location.href
}

/** Replaces the query. The Back button returns to the previous one. */
function takeExample(question: Question): void {
  keepInAddress()
  written.take(question)
  history.pushState(null, '', address + hashOf(question))
}

function takeFromAddress(): void {
  const linked = questionIn(location)
  if (linked !== undefined) written.take(linked)
}

function readSchema(): void {
  const load = async () => {
    const text = await askSchema(address, new AbortController().signal)
    return h('pre', { tabindex: '0', role: 'group', 'aria-label': 'Schema of the server' }, text)
  }
  fill(schemaPlace, panel('Schema', load))
}

const submit = (event: Event) => {
  event.preventDefault()
  void run()
}
const section = (title: string, content: HTMLElement) =>
  h('section.panel', { 'aria-label': title }, h('h2', title), content)

document.body.append(
  ...masthead(base, 'GraphQL'),
  h(
    'main',
    { id: 'page', tabindex: '-1' },
    h('h1', 'GraphQL'),
    h(
      'form.bar.controls',
      { submit },
      h('button', { type: 'submit' }, 'Run'),
      copyButton(link, 'Copy link'),
      exampleChoice(takeExample),
      forgetButton(),
    ),
    h(
      'div.workbench',
      div(section('Query', written.query), section('Variables', written.variables)),
      answer.element,
      schemaPlace,
    ),
  ),
)
written.take(questionIn(location) ?? examples[0])
document.addEventListener(KEY_CHANGED, readSchema)
addEventListener('hashchange', takeFromAddress)
readSchema()

import { fill, h } from '../parts/h.ts'
import { KEY_CHANGED } from '../parts/key-form.ts'
import { masthead } from '../parts/masthead.ts'
import { isLeft, panel } from '../parts/panel.ts'
import { isJson } from '../values/pretty-json.ts'
import { hashOf, questionIn } from './address.ts'
import { answerView } from './answer-view.ts'
import { askQuestion, askSchema } from './ask.ts'
import { exampleChoice } from './example-choice.ts'
import { examples } from './examples.ts'
import { historyView } from './history-view.ts'
import { keyField } from './key-field.ts'
import { linkButton } from './link-button.ts'
import { questionView } from './question-view.ts'
import { rememberedQuestions, rememberQuestion } from './remembered.ts'
import { type SchemaView, schemaView } from './schema-view.ts'

/** The page for GraphQL: a query is written on one side, its reply is shown on the other, and the schema can be browsed. */

/** The address carries what was typed once typing has paused for so long. */
const PAUSE_MS = 400

const { base = '' } = document.documentElement.dataset
const address = `${base}/graphql`
const answer = answerView()
const written = questionView({ run: () => void run(), changed, lookUp: (place) => schema?.open(place) })
const past = historyView(written.take)
const schemaPlace = h('div', { class: 'schema' })
let schema: SchemaView | undefined
let asking = new AbortController()
let pause: ReturnType<typeof setTimeout> | undefined

async function run(): Promise<void> {
  asking.abort()
  asking = new AbortController()
  const { signal } = asking
  const question = written.question()
  keepInAddress()
  if (question.variables.trim() !== '' && !isJson(question.variables))
    return answer.refuse(new Error('The variables are no JSON.'), () => void run())
  rememberQuestion(question, new Date())
  past.update()
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

function takeFromAddress(): void {
  const linked = questionIn(location)
  if (linked !== undefined) written.take(linked)
}

function readSchema(): void {
  const load = async () => {
    const loaded = await askSchema(address, new AbortController().signal)
    written.know(loaded)
    schema = schemaView(loaded)
    return schema.element
  }
  fill(schemaPlace, panel('Schema', load))
}

const runButton = h('button', { type: 'submit' }, 'Run')
const submit = (event: Event) => {
  event.preventDefault()
  void run()
}

document.body.append(
  ...masthead(base, 'GraphQL'),
  h(
    'main',
    { id: 'page', tabindex: '-1' },
    h('h1', {}, 'GraphQL'),
    h(
      'form',
      { class: 'bar controls', submit },
      runButton,
      linkButton(keepInAddress),
      exampleChoice(written.take),
    ),
    h(
      'div',
      { class: 'workbench' },
      h(
        'div',
        { class: 'asking' },
        h('section', { class: 'panel', 'aria-label': 'Query' }, h('h2', {}, 'Query'), written.query),
        h(
          'section',
          { class: 'panel', 'aria-label': 'Variables' },
          h('h2', {}, 'Variables'),
          written.variables,
        ),
        keyField(),
        past.element,
      ),
      answer.element,
      schemaPlace,
    ),
  ),
)
written.take(questionIn(location) ?? rememberedQuestions()[0] ?? examples[0])
document.addEventListener(KEY_CHANGED, readSchema)
addEventListener('hashchange', takeFromAddress)
readSchema()

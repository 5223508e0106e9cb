import { fill, h } from '../parts/h.ts'
import { type Question, titleOf } from './question.ts'
import { forgetQuestions, rememberedQuestions } from './remembered.ts'

const times = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
})

/** The last queries of this browser, which can be taken up again and forgotten. */
export function historyView(take: (question: Question) => void): { element: HTMLElement; update(): void } {
  const list = h('div')
  const forget = () => {
    forgetQuestions()
    update()
  }
  function update(): void {
    const history = rememberedQuestions()
    const items = history.map((one) =>
      h(
        'li',
        {},
        h('button', { type: 'button', class: 'link', click: () => take(one) }, titleOf(one)),
        ' ',
        h('time', { class: 'quiet', datetime: one.at }, times.format(new Date(one.at))),
      ),
    )
    fill(
      list,
      ...(history.length === 0
        ? [h('p', { class: 'quiet' }, 'Queries that were run are listed here. They stay in this browser.')]
        : [
            h('ol', { class: 'found' }, items),
            h('button', { type: 'button', class: 'small', click: forget }, 'Clear'),
          ]),
    )
  }
  update()
  const element = h('details', { class: 'panel history' }, h('summary', {}, h('h2', {}, 'History')), list)
  return { element, update }
}

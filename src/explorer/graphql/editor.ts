import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { forEachDiagnostic, lintKeymap, setDiagnosticsEffect } from '@codemirror/lint'
import { EditorState, type Extension, Prec, Transaction } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { fill, h } from '../parts/h.ts'

/** The policy of the page lets in styles with this nonce alone; browsers hide it from all but scripts. */
const nonce = document.querySelector<HTMLElement>('link[nonce]')?.nonce ?? ''

interface Options {
  /** The label for screen readers. */
  readonly label: string
  readonly language: Extension
  readonly run: () => void
  readonly changed: () => void
}

/** An editor, and the element that has it. */
export interface Editor {
  readonly view: EditorView
  readonly element: HTMLElement
}

/** An editor of text in some language; below it stands what is wrong with the text. Tab leaves it, so the keyboard is never caught. */
export function openEditor({ label, language, run, changed }: Options): Editor {
  const problem = h('p', { class: 'quiet problem', role: 'status' })
  const runs = () => {
    run()
    return true
  }
  const view = new EditorView({
    extensions: [
      EditorView.cspNonce.of(nonce),
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: runs }])),
      keymap.of([
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      lineNumbers(),
      history(),
      typesOver,
      closeBrackets(),
      bracketMatching(),
      indentOnInput(),
      autocompletion({ icons: false }),
      syntaxHighlighting(classHighlighter),
      EditorState.tabSize.of(2),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.updateListener.of(({ transactions }) => transactions.some(isTyped) && changed()),
      EditorView.updateListener.of(({ state, transactions }) => {
        if (transactions.some(isChecked)) fill(problem, problemText(state))
      }),
      language,
    ],
  })
  return { view, element: h('div', {}, h('div', { class: 'editor' }, view.dom), problem) }
}

/** Chrome gives text that is typed over other text the look of that one by style attributes, which the policy refuses; so it is put there by the editor. */
const typesOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { from, to, empty } = view.state.selection.main
    if (empty || inputType !== 'insertText' || data === null) return false
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert())
    return true
  },
})

const isChecked = ({ effects }: Transaction) => effects.some((one) => one.is(setDiagnosticsEffect))

/** The first of what is wrong, with its line. */
function problemText(state: EditorState): string | undefined {
  const marks: string[] = []
  forEachDiagnostic(state, ({ message }, from) => {
    marks.push(`Line ${state.doc.lineAt(from).number}: ${message}`)
  })
  return marks.length < 2 ? marks[0] : `${marks[0]} (1 of ${marks.length} problems)`
}

/** Text that the page itself inserted does not count as an edit. */
const isTyped = (one: Transaction) => one.docChanged && one.annotation(Transaction.userEvent) !== undefined

/** Puts another text in the place of all, which undo takes back. */
export function setText({ view }: Editor, text: string, cursor = 0): void {
  const whole = { from: 0, to: view.state.doc.length, insert: text }
  view.dispatch({ changes: whole, selection: { anchor: Math.min(cursor, text.length) } })
}

export const editorText = ({ view }: Editor) => view.state.doc.toString()

/** An editor of GraphQL or JSON, by CodeMirror: completion and checks by the schema, from left to right in every language. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { graphql, updateSchema } from 'cm6-graphql'
import type { GraphQLSchema } from 'graphql'
import { useEffect, useRef } from 'react'

const look = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.integer, tags.float], color: 'var(--code-number)' },
  { tag: [tags.variableName, tags.special(tags.name)], color: 'var(--code-variable)' },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--code-property)' },
  { tag: [tags.typeName, tags.atom], color: 'var(--code-type)' },
  { tag: tags.comment, color: 'var(--text-3)', fontStyle: 'italic' },
])

const theme = EditorView.theme({
  '&': { blockSize: '100%', fontSize: '13px', backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--border)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow-2)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft) !important' },
})

const SHARED: Extension = [
  lineNumbers(),
  foldGutter(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  syntaxHighlighting(look),
  theme,
  EditorView.lineWrapping,
]

interface EditorProps {
  /** Name for those who do not see it. */
  readonly label: string
  /** The text; while another key is not given, what is typed counts. */
  readonly text: string
  readonly language: 'graphql' | 'json'
  readonly schema?: GraphQLSchema | undefined
  readonly onChange: (text: string) => void
  readonly onRun: () => void
}

/** An editor; Control and Enter run, and the key Tab leaves it. */
export function Editor({ label, text, language, schema, onChange, onRun }: EditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const now = useRef({ onChange, onRun })
  now.current = { onChange, onRun }
  useEffect(() => {
    const runKey = {
      key: 'Mod-Enter',
      run: () => {
        now.current.onRun()
        return true
      },
    }
    const own =
      language === 'graphql' ? [graphql(schema), autocompletion()] : [json(), linter(jsonParseLinter())]
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          keymap.of([
            runKey,
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...completionKeymap,
          ]),
          SHARED,
          own,
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) now.current.onChange(state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [language, label])
  useEffect(() => {
    if (view.current && schema) updateSchema(view.current, schema)
  }, [schema])
  return <div ref={place} className="ide-editor" dir="ltr" />
}

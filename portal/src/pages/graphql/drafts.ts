/** Operations that are being written, each in a tab; kept in this browser, and begun with the examples. */
import { operationName } from '../../graph/document.ts'
import { createStore } from '../../kit/store.ts'
import variablesOf from './examples.json'

/** An operation as it is written. */
export interface DraftText {
  readonly query: string
  /** JSON, in which `{new}` becomes another text at each run. */
  readonly variables: string
}

/** The content of a tab. */
export interface Draft extends DraftText {
  /** Tells it from the others for as long as the page is open. */
  readonly id: number
}

export interface Drafts {
  readonly all: readonly Draft[]
  readonly chosen: number
}

const KEY = 'partner-graph:drafts'
const MOST = 30

const texts = import.meta.glob<string>('../../../../schema/operations/*.graphql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const EXAMPLES: readonly DraftText[] = Object.entries(variablesOf).map(([name, variables]) => ({
  query: texts[`../../../../schema/operations/${name}.graphql`]!,
  variables: JSON.stringify(variables, null, 2),
}))

const isDraft = (one: unknown): one is DraftText => {
  const { query, variables } = (one ?? {}) as Partial<DraftText>
  return typeof query === 'string' && typeof variables === 'string'
}

let lastId = 0

const toDraft = ({ query, variables }: DraftText): Draft => ({ query, variables, id: ++lastId })

const examples = (): Drafts => ({ all: EXAMPLES.map(toDraft), chosen: 0 })

const read = (): Drafts => {
  try {
    const { all, chosen } = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (Array.isArray(all) && all.length > 0 && all.every(isDraft) && all[chosen])
      return { all: all.map(toDraft), chosen }
  } catch {
    // Drafts that cannot be read are replaced.
  }
  return examples()
}

export const drafts = createStore<Drafts>(read())

const keep = (changed: Drafts) => {
  drafts.set(changed)
  try {
    localStorage.setItem(KEY, JSON.stringify(changed))
  } catch {
    // A browser may forbid it: they last until it is closed.
  }
}

/** Name of a tab: that of its first operation. */
export const nameOf = ({ query }: DraftText): string => operationName(query)

export const chooseDraft = (chosen: number): void => keep({ ...drafts.get(), chosen })

/** Changes the draft that is shown. */
export function editDraft(changes: Partial<DraftText>): void {
  const { all, chosen } = drafts.get()
  keep({ all: all.map((draft, index) => (index === chosen ? { ...draft, ...changes } : draft)), chosen })
}

const EMPTY: DraftText = { query: 'query New {\n  me {\n    id\n    role\n  }\n}\n', variables: '{}' }

/** Opens a draft, in the tab that has it already or in a new one; of too many the oldest goes. */
export function openDraft(draft: DraftText = EMPTY): void {
  const { all } = drafts.get()
  const at = all.findIndex(({ query, variables }) => query === draft.query && variables === draft.variables)
  const more = at >= 0 ? all : [...all, toDraft(draft)].slice(-MOST)
  keep({ all: more, chosen: at >= 0 ? at : more.length - 1 })
}

/** Closes a draft; after the last one the examples are there again. */
export function closeDraft(index: number): void {
  const { all, chosen } = drafts.get()
  const left = all.filter((_, at) => at !== index)
  const next = index < chosen ? chosen - 1 : chosen
  keep(left.length > 0 ? { all: left, chosen: Math.min(next, left.length - 1) } : examples())
}

/** Opens the operation of an address (`#query=…&variables=…`), if there is one. */
export function openShared(hash: string): void {
  const shared = new URLSearchParams(hash.replace(/^#/, ''))
  const query = shared.get('query')
  if (query) openDraft({ query, variables: shared.get('variables') ?? '{}' })
}

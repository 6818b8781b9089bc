/** The suites of the federation-gateway-audit as they were recorded: subgraphs, queries, and what each fetch is answered. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseGraphQL } from 'graphql'
import { parse } from 'yaml'
import type { Answerer, Question, SubgraphDocument } from '../support/mock-subgraphs.ts'

export const FOLDER = join(import.meta.dirname, 'suites')

/** Request to a subgraph, and its response as JSON. */
export interface Recorded extends Question {
  readonly subgraph: string
  readonly answer: string
}

export interface AuditOperation {
  readonly query: string
  /** Expectation of the audit: the data, and whether there must be errors (either way if absent). */
  readonly expected: { readonly data?: unknown; readonly errors?: boolean }
  readonly fetches: readonly Recorded[]
}

/** As it stands in its file. */
export interface RecordedSuite {
  readonly subgraphs: readonly { readonly name: string; readonly sdl: string }[]
  readonly operations: readonly AuditOperation[]
}

export interface Suite extends RecordedSuite {
  readonly name: string
  readonly documents: readonly (SubgraphDocument & { readonly url: string })[]
}

/** Their names. */
export const SUITE_NAMES: readonly string[] = globSync('*.yaml', { cwd: FOLDER })
  .map(file => file.replace(/\.yaml$/, ''))
  .toSorted()

/** The suite of this name. */
export function readSuite(name: string): Suite {
  const recorded = parse(readFileSync(join(FOLDER, `${name}.yaml`), 'utf8')) as RecordedSuite
  const documents = recorded.subgraphs.map(subgraph => ({
    name: subgraph.name,
    typeDefs: parseGraphQL(subgraph.sdl),
    url: `http://${subgraph.name}`,
  }))
  return { ...recorded, name, documents }
}

const keyOf = (subgraph: string, { query, variables }: Question) =>
  `${subgraph} ${query} ${JSON.stringify(variables)}`

/** The fetch with each of its representations once, as the program sends them. */
const withoutRepetitions = (recorded: Recorded): Recorded => {
  const { representations } = recorded.variables ?? {}
  if (!Array.isArray(representations)) return recorded
  const texts = representations.map(one => JSON.stringify(one))
  const firsts = [...texts.keys()].filter(index => texts.indexOf(texts[index]!) === index)
  if (firsts.length === texts.length) return recorded
  const { data, ...rest } = JSON.parse(recorded.answer)
  const entities = firsts.map(index => data._entities[index])
  return {
    ...recorded,
    variables: { ...recorded.variables, representations: firsts.map(index => representations[index]) },
    answer: JSON.stringify({ data: { ...data, _entities: entities }, ...rest }),
  }
}

/** Answers as recorded; a fetch that was not is an error of the test. */
export function answersOf({ fetches }: AuditOperation): Answerer {
  const answers = new Map(fetches.map(withoutRepetitions).map(one => [keyOf(one.subgraph, one), one.answer]))
  return async (subgraph, question) => {
    const key = keyOf(subgraph, question)
    const answer = answers.get(key)
    if (answer === undefined) throw new Error(`This fetch was not recorded: ${key}`)
    return answer
  }
}

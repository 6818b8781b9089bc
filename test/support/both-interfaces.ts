/**
 * The two interfaces of a service, REST and GraphQL. A rule of the contract holds for both, so its audit is run over
 * both.
 */
import type { Body, ServiceFixture } from './fixtures/fixture.ts'
import { createGraph, type Graph } from './graph.ts'
import { createRest, type Rest } from './rest.ts'
import type { Stack } from './stack.ts'

/** Result of a create, in terms that REST and GraphQL share. */
export interface Created {
  /** The HTTP status, or in the graph the one its error names. */
  readonly status: number
  readonly id?: string
  readonly transactionOperationStatus?: string
  readonly code?: string
  readonly message?: string
  /** REST alone. */
  readonly location?: string | null
  /** The graph alone: of what would have been posted again. */
  readonly existingId?: string
}

export interface Interface {
  /** The start of the audit's ids. */
  readonly id: 'REST' | 'GRAPH'
  create(stack: Stack, fixture: ServiceFixture, token: string, body: Body): Promise<Created>
}

export const restOf = (stack: Stack): Rest => createRest(stack.address)
export const graphOf = (stack: Stack): Graph => createGraph(stack.address)

const rest: Interface = {
  id: 'REST',
  async create(stack, { path, idField }, token, sent) {
    const { status, body, headers } = await restOf(stack)('POST', path, { token, body: sent })
    if (status !== 201)
      return { status, code: body.code, message: body.message, location: headers.get('location') }
    return { status, id: body[idField], transactionOperationStatus: body.transactionOperationStatus }
  },
}

export const mutationOf = ({ mutation, input, idField }: ServiceFixture): string =>
  `mutation ($input: ${input}!) { ${mutation}(input: $input) { ${idField} transactionOperationStatus } }`

const graph: Interface = {
  id: 'GRAPH',
  async create(stack, fixture, token, input) {
    const { data, errors } = await graphOf(stack)(mutationOf(fixture), { token, variables: { input } })
    const [error] = errors
    if (error) {
      const { code, http, existingId } = error.extensions
      return { status: http.status, code, message: error.message, existingId }
    }
    const created = data[fixture.mutation]
    return { ...created, status: 201, id: created[fixture.idField] }
  },
}

export const INTERFACES: readonly Interface[] = [rest, graph]

/** The only list of the services: add a line here, a folder beside this file and two documents in `schema/`. */

export interface ServiceName {
  /** Folder, name of the subgraph in the supergraph, and stem of its documents in `schema/`. */
  readonly name: string
  /** Port when it runs alone. */
  readonly port: number
  /** Whether it serves REST paths from `schema/<name>.openapi.yaml`. */
  readonly rest: boolean
}

/** An OpenAPI document that clients read, by the stem of its file in `schema/`, and the service of its paths. */
export interface DocumentName {
  readonly document: string
  readonly service: string
}

export const SERVICES: readonly ServiceName[] = [
  { name: 'postpaid-billing', port: 4001, rest: true },
  { name: 'prepaid', port: 4002, rest: true },
  { name: 'messaging', port: 4003, rest: true },
  { name: 'loyalty', port: 4004, rest: true },
  { name: 'redemption', port: 4005, rest: true },
  { name: 'activity', port: 4006, rest: false },
]

/** The documents of all REST paths: the five contracts, and the tools of partners beside them. */
export const DOCUMENTS: readonly DocumentName[] = [
  ...SERVICES.filter(({ rest }) => rest).map(({ name }) => ({ document: name, service: name })),
  { document: 'partner', service: 'activity' },
]

/** Pages of rows as connections: their edges and page info are made where they are asked for, since most clients ask for nodes. */
import type { Connection, CountedConnection, Key, Keyset } from './keyset.ts'

/** A mark on the last row of a page: the rows after it did not fit. */
interface Cut {
  readonly cut?: boolean
}

/** A row on a page. Its cursor is written where it is asked for, which is seldom. */
class Edge<Row> {
  readonly node: Row
  readonly #cursorOf: (row: Row) => string

  constructor(node: Row, cursorOf: (row: Row) => string) {
    this.node = node
    this.#cursorOf = cursorOf
  }

  get cursor(): string {
    return this.#cursorOf(this.node)
  }
}

/** The place of a page among all rows. */
class PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly #edges: readonly { readonly cursor: string }[]

  constructor(
    edges: readonly { readonly cursor: string }[],
    { before, after, backward }: Keyset<Key>,
    more: boolean,
  ) {
    this.#edges = edges
    this.hasNextPage = backward ? before !== undefined : more
    this.hasPreviousPage = backward ? more : after !== undefined
  }

  get startCursor(): string | null {
    return this.#edges[0]?.cursor ?? null
  }

  get endCursor(): string | null {
    return this.#edges.at(-1)?.cursor ?? null
  }
}

/** A page of rows. */
class Page<Row extends object> implements Connection<Row> {
  readonly nodes: Row[]
  readonly #keyset: Keyset<Key>
  readonly #more: boolean
  readonly #cursorOf: (row: Row) => string
  #edges: Edge<Row>[] | undefined
  #pageInfo: PageInfo | undefined

  constructor(keyset: Keyset<Key>, nodes: Row[], more: boolean, cursorOf: (row: Row) => string) {
    this.nodes = nodes
    this.#keyset = keyset
    this.#more = more
    this.#cursorOf = cursorOf
  }

  get edges(): Edge<Row>[] {
    this.#edges ??= this.nodes.map(node => new Edge(node, this.#cursorOf))
    return this.#edges
  }

  get pageInfo(): PageInfo {
    this.#pageInfo ??= new PageInfo(this.edges, this.#keyset, this.#more)
    return this.#pageInfo
  }
}

/** The connection, of the rows that were read for the slice; there are more where one too many was read, or was cut. */
export const toConnection = <Row extends object>(
  keyset: Keyset<Key>,
  read: readonly Row[],
  cursorOf: (row: Row) => string,
): Connection<Row> => {
  const more = read.length > keyset.size || (read.at(-1) as Cut | undefined)?.cut === true
  const rows = read.slice(0, keyset.size)
  if (keyset.backward) rows.reverse()
  return new Page(keyset, rows, more, cursorOf)
}

/** A page with its total, which requests that share the page count for themselves. */
class CountedPage<Row extends object> implements CountedConnection<Row> {
  readonly #page: Connection<Row>
  readonly totalCount: () => Promise<number>

  constructor(page: Connection<Row>, totalCount: () => Promise<number>) {
    this.#page = page
    this.totalCount = totalCount
  }

  get nodes(): Connection<Row>['nodes'] {
    return this.#page.nodes
  }

  get edges(): Connection<Row>['edges'] {
    return this.#page.edges
  }

  get pageInfo(): Connection<Row>['pageInfo'] {
    return this.#page.pageInfo
  }
}

/** Adds the function that counts all rows to a page. */
export const counted = <Row extends object>(
  page: Connection<Row>,
  totalCount: () => Promise<number>,
): CountedConnection<Row> => new CountedPage(page, totalCount)

/** A connection read page by page, as far as the person asks for it. */
import { useCallback, useEffect, useState } from 'react'
import type { GraphDocument } from './document.ts'
import type { GraphFault } from './errors.ts'
import { type GraphResult, sendToGraph, useGraph } from './use-graph.ts'

interface Page<Node> {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

export interface Pages<Data, Node> {
  /** The result of the first page, for `GraphView`. */
  readonly first: GraphResult<Data>
  readonly nodes: readonly Node[]
  readonly hasMore: boolean
  readonly isReading: boolean
  /** Faults of the page after. */
  readonly faults: readonly GraphFault[]
  /** Reads the next page. */
  more(): void
  /**
   * Reads all that is left, for a file; what is shown stays as it is.
   * @throws Error where a page cannot be had: half a file would look like a whole one.
   */
  all(): Promise<readonly Node[]>
}

interface Further<Node> {
  readonly of: unknown
  readonly pages: readonly Page<Node>[]
  readonly faults: readonly GraphFault[]
}

/**
 * Reads the first page, and others on demand; anew when variables or person change.
 * @param pageOf takes the connection out of the data.
 */
export function usePages<Data, Variables extends { after?: string | null }, Node>(
  document: GraphDocument<Data, Variables>,
  variables: NoInfer<Variables>,
  pageOf: (data: Data) => Page<Node> | null,
  options: { readonly isOn?: boolean } = {},
): Pages<Data, Node> {
  const first = useGraph(document, variables, options)
  const { data } = first
  const [further, setFurther] = useState<Further<Node>>({ of: undefined, pages: [], faults: [] })
  const [isReading, setReading] = useState(false)
  const known = further.of === data ? further : { of: data, pages: [], faults: [] }
  const begin = data === undefined ? null : pageOf(data)
  const pages = begin ? [begin, ...known.pages] : []
  const { hasNextPage = false, endCursor = null } = pages.at(-1)?.pageInfo ?? {}
  useEffect(() => setReading(false), [data])
  const more = useCallback(async () => {
    setReading(true)
    const next = await sendToGraph(document, { ...variables, after: endCursor })
    const page = next.data && pageOf(next.data)
    setFurther({ of: data, pages: page ? [...known.pages, page] : known.pages, faults: next.faults })
    setReading(false)
  }, [document, data, endCursor, known])
  const nodes = pages.flatMap(page => page.nodes)
  const all = async () => {
    const read = [...nodes]
    let last = pages.at(-1)?.pageInfo
    while (last?.hasNextPage) {
      const next = await sendToGraph(document, { ...variables, after: last.endCursor })
      const page = next.data && pageOf(next.data)
      if (!page || next.faults[0]) throw new Error(next.faults[0]?.message ?? 'A page is missing')
      read.push(...page.nodes)
      last = page.pageInfo
    }
    return read
  }
  return {
    all,
    first,
    nodes,
    hasMore: hasNextPage,
    isReading,
    faults: known.faults,
    more,
  }
}

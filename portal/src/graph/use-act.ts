/** A mutation that a person sets off: whether it is under way, and why it was refused. */
import { useState } from 'react'
import type { GraphDocument } from './document.ts'
import type { GraphFault } from './errors.ts'
import { sendToGraph } from './use-graph.ts'

export interface Act<Data, Variables> {
  /** Carries it out. @returns the data; undefined where it was refused or is under way already. */
  run(variables: Variables): Promise<Data | undefined>
  readonly isBusy: boolean
  readonly faults: readonly GraphFault[]
}

/** Makes a mutation that runs once at a time. */
export function useAct<Data, Variables extends object>(
  document: GraphDocument<Data, Variables>,
): Act<Data, Variables> {
  const [isBusy, setBusy] = useState(false)
  const [faults, setFaults] = useState<readonly GraphFault[]>([])
  return {
    async run(variables) {
      if (isBusy) return undefined
      setBusy(true)
      setFaults([])
      const answer = await sendToGraph(document, variables)
      setFaults(answer.faults)
      setBusy(false)
      return answer.faults.length > 0 ? undefined : answer.data
    },
    isBusy,
    faults,
  }
}

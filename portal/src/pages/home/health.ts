/** Health of the server as its probe answers it, looked at while the page is visible. */
import { useEffect, useState } from 'react'

export interface DegradedPart {
  readonly part: string
  readonly reason: string
  /** Whether the server serves nevertheless. */
  readonly serving: boolean
  readonly since: string
}

export interface Health {
  readonly state: 'ready' | 'not ready' | 'unreachable'
  readonly degraded: readonly DegradedPart[]
  /** When it was looked at. */
  readonly at: string
  /** Time in milliseconds until the answer. */
  readonly tookMs: number
}

const EVERY_MS = 15_000
const TIMEOUT_MS = 5_000

const look = async (): Promise<Health> => {
  const began = performance.now()
  const taken = () => ({ at: new Date().toISOString(), tookMs: performance.now() - began })
  try {
    const response = await fetch('/health/ready', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { status, degraded = [] } = await response.json()
    return { state: status === 'ready' ? 'ready' : 'not ready', degraded, ...taken() }
  } catch {
    return { state: 'unreachable', degraded: [], ...taken() }
  }
}

/** The newest look; undefined until the first. */
export function useHealth(): Health | undefined {
  const [health, setHealth] = useState<Health>()
  useEffect(() => {
    let isOver = false
    let next: ReturnType<typeof setTimeout>
    const run = async () => {
      if (!document.hidden) {
        const found = await look()
        if (!isOver) setHealth(found)
      }
      if (!isOver) next = setTimeout(run, EVERY_MS)
    }
    void run()
    return () => {
      isOver = true
      clearTimeout(next)
    }
  }, [])
  return health
}

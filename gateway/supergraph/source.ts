/** Source of the supergraph, a file or an address, which is watched for each new one. */

import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request } from 'undici'
import type { Watchdog } from '#core/async/watchdog.ts'
import { createWorker } from '#core/async/worker.ts'
import type { Config } from '#core/config/config.ts'
import type { Logger } from '#core/observability/log.ts'
import { SUPERGRAPH_FILE } from './document.ts'

export interface SupergraphSource {
  /** @throws Error when there is nothing to be read. */
  read(): Promise<string>
  /** Calls `onChange` whenever the supergraph may have changed, until the returned function is called. */
  watch(onChange: () => void): () => void
}

/** Interval at which the file's times are read: cheap, and aware of a replaced file as well as of a changed one. */
const FILE_LOOK_MS = 500
const FETCH_TIMEOUT_MS = 5_000
/** Time for reading a supergraph, and planning the most used operations under it. */
const STANDSTILL_MS = 60_000

const fromFile = (path: string): SupergraphSource => ({
  read: () => readFile(path, 'utf8'),
  watch(onChange) {
    watchFile(path, { interval: FILE_LOOK_MS, persistent: false }, onChange)
    return () => unwatchFile(path, onChange)
  },
})

const fromAddress = (address: string, everyMs: number): SupergraphSource => ({
  async read() {
    const { statusCode, body } = await request(address, {
      headers: { accept: 'application/graphql, text/plain, */*' },
      headersTimeout: FETCH_TIMEOUT_MS,
      bodyTimeout: FETCH_TIMEOUT_MS,
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${address} answers with ${statusCode}`)
    return text
  },
  watch(onChange) {
    const timer = setInterval(onChange, everyMs).unref()
    return () => clearInterval(timer)
  },
})

/** Makes the source that `SUPERGRAPH` names; the checked-in supergraph unless it is set. */
export const supergraphSource = ({ supergraph, supergraphPollSeconds }: Config): SupergraphSource =>
  /^https?:/.test(supergraph ?? '')
    ? fromAddress(supergraph!, supergraphPollSeconds * 1_000)
    : fromFile(supergraph ?? SUPERGRAPH_FILE)

/** Makes the source of a supergraph that never changes. */
export const fixedSupergraph = (supergraphSdl: string): SupergraphSource => ({
  read: async () => supergraphSdl,
  watch: () => () => undefined,
})

/** Puts a new supergraph into service; it throws where that is not possible. */
type Replace = (supergraphSdl: string) => Promise<void>

/**
 * Watches the source and serves each new supergraph.
 * @returns a function that stops watching.
 */
export function watchSupergraph(
  source: SupergraphSource,
  first: string,
  { replace, log, watchdog }: { replace: Replace; log: Logger; watchdog: Watchdog },
): () => Promise<void> {
  let served = first
  let last = first
  const look = async () => {
    const found = await source.read()
    if (found === last) return
    last = found
    if (found === served) return
    await replace(found)
    served = found
    log.info('new supergraph in service')
  }
  const worker = createWorker({
    run: look,
    rounds: watchdog.over('supergraph', STANDSTILL_MS),
    onError: error => log.error({ err: error }, 'new supergraph rejected; still serving the old one'),
  })
  const unwatch = source.watch(worker.wake)
  return async () => {
    unwatch()
    await worker.stop()
  }
}

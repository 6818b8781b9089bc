/** The metrics of a process, by subject. Shown at `/metrics` (`http/metrics.ts`), and listed in docs/operating.md. */
import { Gauge, Registry } from 'prom-client'
import { type ClientMetrics, createClientMetrics, type SubscriberSource } from './client-metrics.ts'
import { type Family, familiesOf } from './exposition.ts'
import { createGraphMetrics, type GraphMetrics } from './graph-metrics.ts'
import { createLagMetrics, type LagMetrics } from './lag-metrics.ts'
import {
  createProcessMetrics,
  type DatabaseSource,
  type OutboundSwitch,
  type SlotGauges,
  type WorkerSource,
} from './process-metrics.ts'
import { RequestMetrics } from './request-metrics.ts'
import { createWorkMetrics, type WorkMetrics } from './work-metrics.ts'

export interface Metrics extends WorkMetrics {
  readonly registry: Registry
  readonly clients: ClientMetrics
  readonly graph: GraphMetrics
  readonly lags: LagMetrics
  readonly requests: RequestMetrics
  readonly slots: SlotGauges
  /** Shows from now on until when the server's certificate is valid. */
  certificate(expiresAt: () => Date): void
  /** Reads all of them. */
  families(): Promise<Family[]>
}

interface MetricsSources {
  readonly feed: SubscriberSource
  readonly outbound: OutboundSwitch
  readonly watchdog: WorkerSource
  readonly database: DatabaseSource
}

/** Adds the end of the validity of a server's certificate: without one there is no series. */
const gaugeCertificate = (registry: Registry, expiresAt: () => Date): void => {
  const name = 'tls_certificate_expiry_timestamp_seconds'
  registry.removeSingleMetric(name)
  new Gauge({
    name,
    help: "End of the validity of the server's TLS certificate, in Unix time",
    registers: [registry],
    collect() {
      this.set(expiresAt().getTime() / 1_000)
    },
  })
}

/** Makes the metrics of one process, all in a registry of their own. */
export function createMetrics({ feed, ...sources }: MetricsSources): Metrics {
  const registry = new Registry()
  const slots = createProcessMetrics(registry, sources)
  const graph = createGraphMetrics(registry)
  const requests = new RequestMetrics()
  return {
    registry,
    ...createWorkMetrics(registry),
    clients: createClientMetrics(registry, feed),
    graph,
    lags: createLagMetrics(registry),
    requests,
    slots,
    certificate: expiresAt => gaugeCertificate(registry, expiresAt),
    families: async () => [
      ...requests.families(),
      ...graph.subgraphCalls.families(),
      ...(await familiesOf(registry)),
    ],
  }
}

/** What is counted of SMPP: the binds and their windows, what came of the parts, and receipts. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Bind } from './bind.ts'

export interface SmppMetrics {
  /** Parts by what came of sending them: `taken`, `slow`, `later`, `refused` or `unknown`. */
  readonly submits: Counter<'bind' | 'outcome'>
  /** Receipts by what they say, or `early`, whose part is not known yet. */
  readonly receipts: Counter<'state'>
}

const gaugeBinds = (registry: Registry, binds: () => readonly Bind[]) => {
  const gauge = (name: string, help: string, figureOf: (bind: Bind) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['bind'],
      registers: [registry],
      collect() {
        for (const bind of binds()) this.set({ bind: bind.label }, figureOf(bind))
      },
    })
  gauge('smpp_bind_up', '1 while the bind to the message centre is up', ({ down }) =>
    Number(down === undefined),
  )
  gauge('smpp_window', 'Requests of a bind that wait for their responses', ({ window }) => window.outstanding)
  gauge(
    'smpp_interval_seconds',
    'Between two messages of a bind, as the message centre throttles it',
    ({ pace }) => pace.intervalMs / 1_000,
  )
}

/** Adds the figures to those of the process. */
export function createSmppMetrics(registry: Registry, binds: () => readonly Bind[]): SmppMetrics {
  gaugeBinds(registry, binds)
  const registers = [registry]
  return {
    submits: new Counter({
      name: 'smpp_submits_total',
      help: 'Parts put to the message centre, by outcome: taken, slow (throttled), later, refused or unknown',
      labelNames: ['bind', 'outcome'],
      registers,
    }),
    receipts: new Counter({
      name: 'smpp_receipts_total',
      help: 'What the message centre delivered: receipts by what they say; early, whose part is not known yet; message; unreadable',
      labelNames: ['state'],
      registers,
    }),
  }
}

/** Metrics of stored answers. */
import { Counter, Gauge, type Registry } from 'prom-client'

/**
 * How a question was answered: `hit` as before, `miss` anew since the database had changed or nothing was kept, `first` for one
 * that was not asked lately, `resting` without a look since its answers did not last, `unasked` where the database could not tell.
 */
type AnswerOutcome = 'hit' | 'miss' | 'first' | 'resting' | 'unasked'

export interface AnswerMetrics {
  count(outcome: AnswerOutcome): void
  /** Shows from now on how many bytes are kept. */
  show(bytes: () => number): void
}

/** Makes them in a registry. */
export function createAnswerMetrics(registry: Registry): AnswerMetrics {
  const registers = [registry]
  const outcomes = new Counter({
    name: 'answers_total',
    help: 'Repeatable questions by how they were answered: hit (as before), miss, first, resting or unasked',
    labelNames: ['outcome'],
    registers,
  })
  return {
    count: outcome => outcomes.inc({ outcome }),
    show(bytes) {
      new Gauge({
        name: 'answers_bytes',
        help: 'Bytes of the answers that are kept',
        registers,
        collect() {
          this.set(bytes())
        },
      })
    },
  }
}

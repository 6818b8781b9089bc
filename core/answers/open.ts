/** Opens the stored answers of a process, where they can be exact. */
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Database, Db, Statements } from '../data/db.ts'
import { Moments } from '../data/moments.ts'
import type { Logger } from '../observability/log.ts'
import { AnswerStore } from './answer-store.ts'
import { createAnswerMetrics } from './metrics.ts'

const MIB = 1024 * 1024

export interface AnswerDependencies {
  readonly config: Pick<Config, 'answersMib' | 'readOnly' | 'databaseReplicaUrl'>
  readonly database: Pick<Database, 'openMoments'>
  readonly log: Logger
  readonly metrics: { readonly registry: Registry }
}

/** Stored answers with the moments that they are compared by. */
export interface OpenAnswers {
  readonly answers: AnswerStore
  readonly moments: Moments
}

/**
 * Makes the store; undefined where it is off: by its setting, and where what is read may come from a standby, which does not tell
 * what it shows.
 */
export const openAnswers = ({
  config,
  database,
  log,
  metrics,
}: AnswerDependencies): OpenAnswers | undefined => {
  const { answersMib, readOnly, databaseReplicaUrl } = config
  if (answersMib === 0 || readOnly || databaseReplicaUrl !== undefined) return undefined
  const moments = new Moments(database.openMoments, log)
  const answers = new AnswerStore(moments, answersMib * MIB, createAnswerMetrics(metrics.registry))
  return { answers, moments }
}

/**
 * Makes the statements for records that no stored answer shows, such as who asked for what: their commits leave stored answers
 * true. The number of a transaction is known before anything is written in it, since a snapshot may show its commit sooner than
 * this process hears of it.
 */
export const recordStatements = (
  db: Pick<Db, '$executeRaw' | '$transaction'>,
  moments: Pick<Moments, 'ignoring'> | undefined,
): Pick<Statements, '$executeRaw'> => ({
  async $executeRaw(statement, ...values) {
    const ignore = moments?.ignoring()
    if (!ignore) return db.$executeRaw(statement, ...values)
    return db.$transaction(async tx => {
      const [{ transaction }] = await tx.$queryRaw<[{ transaction: string }]>`
        SELECT pg_catalog.pg_current_xact_id()::text AS transaction`
      ignore(transaction)
      return tx.$executeRaw(statement, ...values)
    })
  },
})

/** The day after: clocks are moved behind midnight, so that the statements of the run's day are made, and partners read them. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from './clients/caller.ts'
import type { Random } from './clients/posts.ts'
import { localDayOf } from './kinds.ts'
import { aheadSettings, CAN_MOVE_CLOCKS, moveClock } from './stage/clock.ts'
import type { Stage } from './stage/stage.ts'

/** A day, and what the program waits for before it makes a day's statements. */
const AHEAD_SECONDS = 86_400 + 120
const KILL_WITHIN_MS = 1_500
const MADE_MS = 60_000
const LOOK_MS = 500

interface Listed {
  readonly statements?: readonly { readonly date: string }[]
}

const STATEMENTS = '/partner/v1/statements'

const list = (caller: Caller) =>
  caller.call({ op: 'statements', via: 'rest', path: `${STATEMENTS}?limit=50` })

const daysOf = (body: unknown): string[] => ((body as Listed).statements ?? []).map(({ date }) => date)

/** Resolves when a partner has the statement of the day, or when it has had time enough; then the checks miss it. */
const waitFor = async (callers: readonly Caller[], day: string): Promise<void> => {
  for (const until = Date.now() + MADE_MS; Date.now() < until; await delay(LOOK_MS))
    for (const caller of callers) {
      const answer = await list(caller)
      if (answer?.status === 200 && daysOf(answer.body).includes(day)) return
    }
}

/** Reads what each partner is told: all its statements, and the rows of each day as CSV. */
const readStatements = async (callers: readonly Caller[]): Promise<void> => {
  for (const caller of callers) {
    const answer = await caller.call({ op: 'final-statements', via: 'rest', path: `${STATEMENTS}?limit=50` })
    if (answer?.status !== 200) continue
    for (const day of daysOf(answer.body))
      await caller.call({
        op: 'final-statement',
        via: 'rest',
        path: `${STATEMENTS}/${day}?format=csv`,
        about: { day },
      })
  }
}

/**
 * Starts the servers of a run that has ended again, a day later; one of them is killed at a random moment while statements are
 * made. Where no clock can be moved, nothing is done.
 */
export async function liveTomorrow(stage: Stage, callers: readonly Caller[], random: Random): Promise<void> {
  // The machines of Patroni have a clock that is not ours.
  if (!CAN_MOVE_CLOCKS || stage.patroni) return
  const today = localDayOf(new Date().toISOString())
  await stage.postgres?.restartWith(aheadSettings(AHEAD_SECONDS))
  for (const clock of stage.clocks) moveClock(clock, AHEAD_SECONDS)
  for (const caller of callers) caller.forgetToken()
  const victim = stage.servers[random(stage.servers.length)]!
  const killAfterMs = random(KILL_WITHIN_MS)
  await Promise.all(stage.servers.map(server => server.start()))
  await delay(killAfterMs)
  await victim.kill()
  await victim.start()
  await waitFor(callers, today)
  await readStatements(callers)
}

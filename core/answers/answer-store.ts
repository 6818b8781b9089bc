/**
 * Stored answers: a question that is asked again is answered as before, where the database shows the same as it did then. A moment
 * is noted before an answer is made and after, and the answer is kept where both are alike; it is given again where a moment that
 * was read after the request came is alike too. So it is what an execution of the same time would give.
 *
 * Only what depends on the question, on who asks, and on the database may be asked here: not on the time of day, nor on what this
 * process or another system knows. The checks of each request come before, and who was looked at is recorded each time.
 */
import { LRUCache } from 'lru-cache'
import type { AccessTrail } from '../audit/access-recorder.ts'
import type { DatabaseMoment, Moments } from '../data/moments.ts'
import type { AnswerMetrics } from './metrics.ts'

/** Question whose answer may be kept. */
export interface Question<Answer> {
  /** Tells it from all others whose answers may differ: what is asked, and who asks. */
  readonly key: string
  /** Trail of the request. */
  readonly trail: AccessTrail
  /** Makes the answer, and leaves the trail of it. */
  make(): Promise<Answer>
  /** Size of an answer in bytes; undefined for one that may not be given to another request. */
  bytesOf(answer: Answer): number | undefined
}

interface Kept {
  readonly answer: unknown
  readonly subjects: readonly string[]
  /** Last moment at which it was true. */
  moment: DatabaseMoment
}

interface Making {
  readonly moment: DatabaseMoment
  readonly kept: Promise<Kept | undefined>
}

/** Knowledge of a question. */
interface Entry {
  kept: Kept | undefined
  making: Making | undefined
  /** Times in a row that the answer before was no longer true. */
  misses: number
  /** Requests that are answered without a look, since answers of this question did not last. */
  resting: number
}

/** Bytes of an entry beside its answer and its key. */
const ENTRY_BYTES = 500
/** Longest key that is kept, in characters. */
const MOST_KEY = 8_192
/** Most requests in a row that are answered without a look. */
const MOST_RESTING = 32

/** Part of the store that one answer may take at the most. */
const LARGEST_SHARE = 0.125

/** Answers of a process, bounded in bytes. */
export class AnswerStore {
  readonly #moments: Moments
  readonly #metrics: AnswerMetrics
  readonly #maxBytes: number
  readonly #entries: LRUCache<string, Entry>

  constructor(moments: Moments, maxBytes: number, metrics: AnswerMetrics) {
    this.#moments = moments
    this.#metrics = metrics
    this.#maxBytes = maxBytes
    this.#entries = new LRUCache({ maxSize: maxBytes })
    metrics.show(() => this.#entries.calculatedSize)
  }

  /**
   * Answers a question: as before where that is still true, and else by making the answer.
   * @throws what `make` throws.
   */
  async answer<Answer>(question: Question<Answer>): Promise<Answer> {
    const { key, make } = question
    // The first question begins to connect: a process that is asked none holds no connection for it.
    this.#moments.start()
    if (!this.#moments.areKnown || key.length > MOST_KEY) return this.#count('unasked', make)
    const entry = this.#entries.get(key)
    if (!entry) {
      // Most questions never come again: nothing is asked for their sake.
      this.#set(key, { kept: undefined, making: undefined, misses: 0, resting: 0 }, 0)
      return this.#count('first', make)
    }
    if (entry.resting > 0) {
      entry.resting -= 1
      return this.#count('resting', make)
    }
    const now = await this.#moments.now()
    if (!now) return this.#count('unasked', make)
    if (entry.kept && this.#isTrue(entry.kept, now)) return this.#give(question, entry, entry.kept)
    const shared = entry.making?.moment === now ? await entry.making.kept : undefined
    return shared ? this.#give(question, entry, shared) : this.#make(question, entry, now)
  }

  #count<Answer>(outcome: 'first' | 'resting' | 'unasked', make: () => Promise<Answer>): Promise<Answer> {
    this.#metrics.count(outcome)
    return make()
  }

  /** Whether an answer is true at a moment, or was made after it. */
  #isTrue(kept: Kept, now: DatabaseMoment): boolean {
    const { moment } = kept
    if (moment.source === now.source && now.order <= moment.order) return true
    if (!this.#moments.areAlike(moment, now)) return false
    // Later moments have less to be compared with.
    kept.moment = now
    return true
  }

  #give<Answer>({ trail, make }: Question<Answer>, entry: Entry, kept: Kept): Answer | Promise<Answer> {
    entry.misses = 0
    try {
      for (const subject of kept.subjects) trail.record(subject)
    } catch {
      // It cannot be recorded at the moment: an execution refuses in its own form.
      return this.#count('unasked', make)
    }
    this.#metrics.count('hit')
    return kept.answer as Answer
  }

  async #make<Answer>(question: Question<Answer>, entry: Entry, now: DatabaseMoment): Promise<Answer> {
    this.#metrics.count('miss')
    entry.misses += 1
    entry.resting = Math.min(MOST_RESTING, 2 ** entry.misses - 2)
    const made = question.make()
    const making = {
      moment: now,
      kept: made.then(
        answer => this.#keepable(question, answer, now),
        () => undefined,
      ),
    }
    entry.making = making
    const answer = await made
    void this.#keep(question, entry, making, answer)
    return answer
  }

  /** Answer that others may get who asked before `now`; undefined for one that is this request's alone. */
  #keepable<Answer>(
    { trail, bytesOf }: Question<Answer>,
    answer: Answer,
    now: DatabaseMoment,
  ): Kept | undefined {
    if (bytesOf(answer) === undefined || !trail.subjects) return undefined
    return { answer, subjects: [...trail.subjects], moment: now }
  }

  /** Keeps an answer, if the database showed the same all the while. */
  async #keep<Answer>(
    { key, bytesOf }: Question<Answer>,
    entry: Entry,
    making: Making,
    answer: Answer,
  ): Promise<void> {
    const kept = await making.kept
    const after = kept && (await this.#moments.now())
    if (entry.making === making) entry.making = undefined
    if (!kept || !after || !this.#moments.areAlike(making.moment, after)) return
    const bytes = bytesOf(answer)!
    if (bytes > LARGEST_SHARE * this.#maxBytes || this.#entries.peek(key) !== entry) return
    entry.kept = { ...kept, moment: after }
    this.#set(key, entry, bytes)
  }

  #set(key: string, entry: Entry, bytes: number): void {
    this.#entries.set(key, entry, { size: ENTRY_BYTES + 2 * key.length + bytes })
  }
}

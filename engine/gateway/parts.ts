/**
 * Execution of an operation in parts, by the planner's own plan for `@defer`: the primary fetches, and those of each deferred
 * fragment, which begin once the fetches on which they depend have ended. All of them fill the same data.
 */
import { GraphQLError } from 'graphql'
import { DONE, type Stream, streamOf } from '#core/async/stream.ts'
import type { DeferredResult, LaterPart } from '#gateway/deferral/parts.ts'
import type { PlanInput, PlanResult } from '#gateway/supergraph/engine.ts'
import { createDataClass } from '../subgraph/result.ts'
import { type Block, compileDeferNode, type PlannedInParts } from './defer-plan.ts'
import {
  errorPathOf,
  hasValue,
  keyOfError,
  leadsInto,
  nullify,
  selects,
  shows,
  startsWith,
  takeErrors,
  withoutRepeats,
} from './part-paths.ts'
import {
  createPartShapes,
  type Occurrence,
  type PartShapes,
  type Path,
  type ShapedPart,
} from './part-shape.ts'
import { Fetched, type PlanRun } from './plan-run.ts'

/** First part of a response, and those that follow. */
export interface PartsResult {
  readonly first: PlanResult
  readonly rest: Stream<LaterPart<unknown>> | undefined
}

/** Executes an operation in parts. */
export type ExecuteParts = (input: PlanInput) => Promise<PartsResult>

/** Deferred fragment that is under way. */
interface Running {
  readonly label: string | undefined
  readonly errors: unknown[]
  /** Blocks that have not ended. */
  left: number
}

class Delivering {
  readonly #shapes: PartShapes
  readonly #run: PlanRun
  readonly #fetched: Fetched
  readonly #running = new Map<string, Running>()
  /** Fragments that the client waits for. */
  readonly #pending = new Set<Occurrence>()
  /** Objects and lists that parts have shown as null because of a field in them. */
  readonly #nulled: Path[] = []
  /** Objects of which a fragment came to nothing, so that those within it are never delivered. */
  readonly #unfilled: Path[] = []
  /** Errors that the client was told. */
  readonly #told = new Set<string>()
  #wake: () => void = () => undefined
  #isCancelled = false

  constructor(shapes: PartShapes, run: PlanRun, fetched: Fetched) {
    this.#shapes = shapes
    this.#run = run
    this.#fetched = fetched
  }

  /** Begins blocks as soon as their fetches can be made: at the latest when everything around them has ended. */
  begin(blocks: readonly Block[], around: Promise<unknown>): void {
    for (const block of blocks) {
      const running = this.#running.get(block.id) ?? { label: block.label, errors: [], left: 0 }
      running.left += 1
      this.#running.set(block.id, running)
      const ended = this.#execute(block, running, around)
      if (block.nested.length > 0) this.begin(block.nested, Promise.all([around, ended]))
    }
  }

  async #execute({ depends, step }: Block, running: Running, around: Promise<unknown>): Promise<void> {
    const { errors } = running
    try {
      await (depends ? Promise.race([this.#fetched.all(depends), around]) : around)
      await step?.({ ...this.#run, errors }, this.#run.data)
    } catch (error) {
      errors.push(error)
    }
    running.left -= 1
    this.#wake()
  }

  /** Shapes the first part. */
  first(): PlanResult {
    const root = this.#shapes.rootOf(this.#run.data)
    const { data, faults, deferred, error } = this.#shape(root)
    if (error) return { errors: [error] }
    this.#await(deferred)
    const errors = this.#postpone(this.#run.errors, root, data)
    if (errors.length === 0 && faults.length > 0) return { extensions: { valueCompletion: faults }, data }
    return errors.length === 0 ? { data } : { errors, data }
  }

  get hasNext(): boolean {
    return this.#pending.size > 0
  }

  /** Waits for the next part; undefined after the last one, and where nobody waits for it any more. */
  async next(): Promise<LaterPart<unknown> | undefined> {
    while (this.hasNext && !this.#isCancelled) {
      const incremental = this.#takeReady()
      if (incremental.length > 0) return { incremental, hasNext: this.hasNext }
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    return undefined
  }

  cancel(): void {
    this.#isCancelled = true
    this.#run.context.cancel()
    this.#wake()
  }

  /** Takes the fragments whose fetches have ended, with those within them that are ready too. */
  #takeReady(): DeferredResult<unknown>[] {
    const results: DeferredResult<unknown>[] = []
    for (;;) {
      const ready = [...this.#pending].filter(({ id }) => !this.#running.get(id)?.left)
      if (ready.length === 0) return results
      for (const [index, one] of ready.entries()) {
        if (!this.#pending.delete(one)) continue
        const isLast = !ready.slice(index + 1).some(({ id }) => id === one.id)
        results.push(this.#resultOf(one, isLast))
      }
    }
  }

  #await(deferred: readonly Occurrence[]): void {
    for (const one of deferred) this.#pending.add(one)
  }

  /** @param isLast whether it is the last object of its fragment in this part. */
  #resultOf(occurrence: Occurrence, isLast: boolean): DeferredResult<unknown> {
    const { label, errors: all = [] } = this.#running.get(occurrence.id) ?? {}
    const { data, faults, deferred, error } = this.#shape(occurrence)
    this.#await(deferred)
    if (!data) this.#unfilled.push(occurrence.path)
    const taken = takeErrors(all, occurrence, isLast)
    // A field that came by another way has not failed.
    const failed = taken.filter(one => !hasValue(one, occurrence, data) && !this.#isHidden(one, occurrence))
    const own = this.#postpone(failed, occurrence, data)
    const errors = error ? [...own, error] : own
    return {
      ...(label !== undefined && { label }),
      path: occurrence.path,
      data,
      ...(errors.length > 0 && { errors }),
      ...(errors.length === 0 && faults.length > 0 && { extensions: { valueCompletion: faults } }),
    }
  }

  /** Whether an error belongs to an object of the fragment that the client does not see: another error says why. */
  #isHidden(error: unknown, occurrence: Occurrence): boolean {
    const path = errorPathOf(error)
    if (!path || leadsInto(path, occurrence)) return false
    return [...this.#nulled, ...this.#unfilled].some(place => startsWith(path, place))
  }

  /** Shapes a part; data that cannot be shaped at all are an error, as in a whole response. */
  #shape(occurrence: Occurrence): ShapedPart & { readonly error?: GraphQLError } {
    try {
      return this.#agreeing(occurrence, this.#shapes.shape(occurrence, this.#run.variables))
    } catch (error) {
      const { message } = error as Error
      const known = error instanceof GraphQLError ? error : undefined
      const failed = known ?? new GraphQLError(message, { originalError: error as Error })
      return { data: null, faults: [], deferred: [], nulled: [], error: failed }
    }
  }

  /** Makes null what another part has shown as null, because of a field that may not be. */
  #agreeing({ path: start }: Occurrence, shaped: ShapedPart): ShapedPart {
    const hidden = this.#nulled.filter(
      place => startsWith(place, start) && nullify(shaped.data, place.slice(start.length)),
    )
    const isBelow = (places: readonly Path[], { path }: Occurrence) =>
      places.some(place => startsWith(path, place))
    this.#nulled.push(...shaped.nulled)
    for (const one of this.#pending) if (isBelow(shaped.nulled, one)) this.#pending.delete(one)
    return { ...shaped, deferred: shaped.deferred.filter(one => !isBelow(hidden, one)) }
  }

  /** Leaves errors of fields that a part does not show yet to the fragments that show them. */
  #postpone(errors: readonly unknown[], occurrence: Occurrence, data: ShapedPart['data']): unknown[] {
    const own = errors.filter(error => {
      const path = errorPathOf(error)
      if (!path || !leadsInto(path, occurrence) || shows(data, path.slice(occurrence.path.length)))
        return true
      const later = new Set([...this.#pending].filter(one => selects(one, path)).map(({ id }) => id))
      const running = [...later].flatMap(id => this.#running.get(id) ?? [])
      for (const one of running) one.errors.push(error)
      return running.length === 0 && !this.#told.has(keyOfError(error))
    })
    for (const error of own) this.#told.add(keyOfError(error))
    return withoutRepeats(own)
  }
}

/**
 * Compiles an operation that is executed in parts.
 * @throws NotCompiled for one that only Apollo Gateway executes.
 */
export function compileParts(planned: PlannedInParts): ExecuteParts {
  const { primary, blocks } = compileDeferNode(planned)
  const shapes = createPartShapes(planned.operation)
  const request = { operation: planned.operationContext.operation }
  const createData = createDataClass()
  return async input => {
    const fetched = new Fetched()
    const own = { request: { ...request }, data: createData(), errors: [], onFetched: fetched.ended }
    const run: PlanRun = { ...input, ...own }
    const delivering = new Delivering(shapes, run, fetched)
    const ended = Promise.resolve(primary?.(run, run.data))
    delivering.begin(blocks, ended)
    await ended
    const first = delivering.first()
    if (!delivering.hasNext) return { first, rest: undefined }
    return { first, rest: streamOfParts(delivering, input) }
  }
}

const streamOfParts = (delivering: Delivering, { context }: PlanInput): Stream<LaterPart<unknown>> =>
  streamOf<LaterPart<unknown>>(
    async () => {
      const value = await delivering.next()
      return value ? { done: false, value } : DONE
    },
    () => {
      if (delivering.hasNext) delivering.cancel()
      context.done()
    },
  )

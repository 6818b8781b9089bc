/**
 * Execution of an operation in parts, by the planner's own plan for `@defer`: the primary fetches, and those of each deferred
 * fragment, which begin once the fetches on which they depend have ended. All of them fill the same data.
 */
import { GraphQLError } from 'graphql'
import { DONE, type Stream, streamOf } from '#core/async/stream.ts'
import type { DeferredResult, LaterPart } from '#gateway/deferral/parts.ts'
import type { PlanInput, PlanResult } from '#gateway/supergraph/engine.ts'
import { createDataClass } from '../subgraph/fields.ts'
import { type Block, compileDeferNode, type PlannedInParts } from './defer-plan.ts'
import type { PlanRun } from './fetch.ts'
import { errorPathOf, hasValue, leadsInto, nullify, shows, startsWith, takeErrors } from './part-paths.ts'
import {
  createPartShapes,
  type Occurrence,
  type PartShapes,
  type Path,
  type ShapedPart,
} from './part-shape.ts'

/** First part of a response, and those that follow. */
export interface PartsResult {
  readonly first: PlanResult
  readonly rest: Stream<LaterPart<unknown>> | undefined
}

/** Executes an operation in parts. */
export type ExecuteParts = (input: PlanInput) => Promise<PartsResult>

/** Fetches that have ended, by their ids. */
class Fetched {
  readonly #byId = new Map<string, PromiseWithResolvers<void>>()

  readonly ended = (id: string): void => this.#of(id).resolve()

  all(ids: readonly string[]): Promise<unknown> {
    return Promise.all(ids.map(id => this.#of(id).promise))
  }

  #of(id: string): PromiseWithResolvers<void> {
    const known = this.#byId.get(id) ?? Promise.withResolvers<void>()
    this.#byId.set(id, known)
    return known
  }
}

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
  #pending: Occurrence[] = []
  /** Objects and lists that parts have shown as null because of a field in them. */
  readonly #nulled: Path[] = []
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
    this.#pending = [...deferred]
    const errors = this.#postpone(this.#run.errors, root, data)
    if (errors.length === 0 && faults.length > 0) return { extensions: { valueCompletion: faults }, data }
    return errors.length === 0 ? { data } : { errors, data }
  }

  get hasNext(): boolean {
    return this.#pending.length > 0
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
      const ready = this.#pending.filter(({ id }) => !this.#running.get(id)?.left)
      if (ready.length === 0) return results
      this.#pending = this.#pending.filter(one => !ready.includes(one))
      for (const [index, one] of ready.entries()) {
        const isLast = !ready.slice(index + 1).some(({ id }) => id === one.id)
        results.push(this.#resultOf(one, isLast))
      }
    }
  }

  /** @param isLast whether it is the last object of its fragment in this part. */
  #resultOf(occurrence: Occurrence, isLast: boolean): DeferredResult<unknown> {
    const { label, errors: all = [] } = this.#running.get(occurrence.id) ?? {}
    const { data, faults, deferred, error } = this.#shape(occurrence)
    this.#pending.push(...deferred)
    // A field that came by another way has not failed.
    const failed = takeErrors(all, occurrence, isLast).filter(one => !hasValue(one, occurrence, data))
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
    this.#pending = this.#pending.filter(one => !isBelow(shaped.nulled, one))
    return { ...shaped, deferred: shaped.deferred.filter(one => !isBelow(hidden, one)) }
  }

  /** Leaves errors of fields that a part does not show yet to the fragments that show them. */
  #postpone(errors: readonly unknown[], occurrence: Occurrence, data: ShapedPart['data']): unknown[] {
    return errors.filter(error => {
      const path = errorPathOf(error)
      if (!path || !leadsInto(path, occurrence) || shows(data, path.slice(occurrence.path.length)))
        return true
      const later = this.#pending.findLast(one => leadsInto(path, one))
      const running = later && this.#running.get(later.id)
      running?.errors.push(error)
      return !running
    })
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

/** Programs in processes of their own, called by message: a name and an argument go there, a result comes back. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

interface Call {
  readonly id: number
  readonly name: string
  readonly argument: unknown
}

interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

/** Declared as a method, so that each may name its argument's type: that is the caller's promise. */
interface Callable {
  call(argument: unknown): unknown
}

/** Functions that can be called in this process. */
type Handlers = Record<string, Callable['call']>

const handlers: Handlers = {}

const answer = async ({ id, name, argument }: Call): Promise<Reply> => {
  try {
    const handler = handlers[name]
    if (!handler) throw new Error(`${name} cannot be called`)
    return { id, result: await handler(argument) }
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** Lets the parent process call these. The process ends with its parent. */
export function serveCalls(more: Handlers): void {
  if (Object.keys(handlers).length === 0) {
    process.on('message', async (call: Call) => process.send?.(await answer(call)))
    process.once('disconnect', () => process.exit())
  }
  Object.assign(handlers, more)
}

/** Calls what the child serves. @throws Error with what was thrown there, or when the child has ended. */
export type CallChild = <Result>(name: string, argument?: unknown) => Promise<Result>

/** The calls to a child that was started with a message channel. */
export function callsTo(child: ChildProcess): CallChild {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  child.on('message', ({ id, result, error }: Reply) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(error))
  })
  child.once('exit', code => {
    for (const { reject } of waiting.values()) reject(new Error(`a process ended with ${code}`))
  })
  return <Result>(name: string, argument?: unknown) => {
    const call = Promise.withResolvers<unknown>()
    waiting.set(++last, call)
    child.send({ id: last, name, argument } satisfies Call, error => error && call.reject(error))
    return call.promise as Promise<Result>
  }
}

export interface Worker extends AsyncDisposable {
  readonly call: CallChild
}

/**
 * Starts a program that serves calls, named by its file in this folder or by its whole path; disposing ends it.
 * @param stdout the file for what it writes there; by default that of this process.
 */
export function startWorker(program: string, stdout: number | 'inherit' = 'inherit'): Worker {
  const child = fork(resolve(import.meta.dirname, program), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  })
  return {
    call: callsTo(child),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

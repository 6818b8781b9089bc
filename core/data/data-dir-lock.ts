/**
 * The lock on the embedded database's folder, one process at a time: a socket that the operating system frees, even
 * after kill -9.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SetupError } from '../errors/setup-error.ts'

/** Thrown when another process has the folder open. */
export class InUseError extends SetupError {
  constructor(dir: string) {
    super(
      `The embedded database in ${dir} is in use by another process, and serves one at a time. ` +
        'Stop that process first, name another DATA_DIR, or use PostgreSQL (DATABASE_URL).',
    )
    this.name = 'InUseError'
  }
}

const socketPath = (dir: string) => {
  const hash = createHash('sha256').update(resolve(dir)).digest('hex').slice(0, 16)
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\partner-graph-${hash}`
    : join(tmpdir(), `partner-graph-${hash}.sock`)
}

const listen = (path: string): Promise<Server> =>
  new Promise((done, fail) => {
    const server = createServer(socket => socket.destroy())
    server.once('error', fail).listen(path, () => done(server.unref()))
  })

const isListening = (path: string): Promise<boolean> =>
  new Promise(done => {
    const socket = createConnection(path, () => done(true))
    socket.on('connect', () => socket.destroy()).on('error', () => done(false))
  })

const isAddressInUse = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EADDRINUSE'

/**
 * Takes the folder for this process.
 * @returns a function that gives it back.
 * @throws InUseError when another live process holds it.
 */
export async function lockDataDir(dir: string): Promise<() => void> {
  const path = socketPath(dir)
  const server = await listen(path).catch(async error => {
    if (!isAddressInUse(error)) throw error
    if (await isListening(path)) throw new InUseError(dir)
    rmSync(path, { force: true })
    return listen(path)
  })
  return () => void server.close()
}

/** A server that lets a client in and then is gone, before it has said what it serves as. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { openPool } from '#core/data/db.ts'

const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64')

/** `AuthenticationOk` and `ReadyForQuery` (PostgreSQL documentation, 55.7). */
const LET_IN = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

it.each(['', '?target_session_attrs=read-write'])(
  'LOST-01 a connection that is lost while its server is asked for its role fails, and ends no process%s',
  async parameters => {
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write(LET_IN)
        socket.once('data', () => socket.destroy())
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const DATABASE_URL = `postgresql://postgres@127.0.0.1:${port}/test${parameters}`
    const pool = openPool(readConfig({ DATABASE_URL, SECRETS_KEY }))
    try {
      await expect(pool.query('SELECT 1')).rejects.toThrow(/terminated unexpectedly/)
    } finally {
      await pool.end()
      server.close()
    }
  },
)

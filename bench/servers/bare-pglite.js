/**
 * PGlite alone on the folder of `DATA_DIR`: opens it, says so at `PORT`, and answers each request with a row. No TypeScript,
 * whose stripping takes time and memory.
 */
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

// An ES import of it would load Node's own fetch and WebSocket.
const { createServer } = process.getBuiltinModule('node:http')
const { DATA_DIR, PORT } = process.env
const pglite = await PGlite.create(join(DATA_DIR, 'pglite'))
const server = createServer(async (_, response) => {
  const { rows } = await pglite.query('SELECT now()')
  response.end(JSON.stringify(rows))
}).listen(Number(PORT), '127.0.0.1')

process.once('SIGTERM', async () => {
  server.close()
  await pglite.close()
  process.exit(0)
})

/** `npm run smpp-simulator`: a message centre for tests and trials, with faults to choose. */
import { environmentWith } from '#core/config/config.ts'
import { EnvReader, integer, text } from '#core/config/setting.ts'
import { startCentre } from './centre.ts'
import { NO_FAULTS, readFaults } from './faults.ts'

const USAGE = `npm run smpp-simulator -- [fault=value ...]

A message centre that speaks SMPP 3.4 and delivers to nobody. PORT (2775), HOST (127.0.0.1) and ADMIN_PORT (2776) say where
it listens; 0 picks a free port. Any system_id and password is taken.

Faults, with what they are without being chosen:
${Object.entries(NO_FAULTS)
  .map(([name, value]) => `  ${name}=${value}`)
  .join('\n')}

While it runs: GET /book and /texts, GET and PATCH /faults, POST /cut, /unbind and /flood, DELETE /book
at the admin port.`

const SETTINGS = {
  HOST: text('the address to listen on', '127.0.0.1'),
  PORT: integer(2_775, [0, 65_535], 'the port for SMPP'),
  ADMIN_PORT: integer(2_776, [0, 65_535], 'the port for administration over HTTP'),
} as const

const run = async (args: readonly string[]) => {
  const read = new EnvReader(environmentWith({}), SETTINGS)
  const host = read.text('HOST')
  const port = read.integer('PORT')
  const adminPort = read.integer('ADMIN_PORT')
  if (read.faults.length > 0) throw new Error(read.faults.join('\n'))
  const faults = readFaults(args)
  const centre = await startCentre({ host, port, adminPort, faults })
  console.log(
    JSON.stringify({
      msg: 'ready',
      smpp: `smpp://${host}:${centre.smppPort}`,
      admin: `http://${host}:${centre.adminPort}`,
    }),
  )
  const stop = () => void centre.stop().then(() => process.exit(0))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
}

const args = process.argv.slice(2)
if (args.some(arg => arg === '--help' || arg === '-h')) console.log(USAGE)
else
  await run(args).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })

/** The destination of the log: every line once and in order, whatever its size, at a cost that does not grow with what waits. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { countingOnce } from '#core/third-party/pino.ts'

const SIZES = { minLength: 16_384, maxWrite: 65_536, periodicFlush: 5, sync: false }

/** Lines of the sizes that occur, and of some that exceed all that is written at once; in one, two and four bytes a character. */
const LINES = Array.from({ length: 3_000 }, (_, index) => {
  const length = index % 500 === 499 ? 70_000 : (index * 37) % 900
  return `${index} ${['x', 'é', '😀'][index % 3]!.repeat(length)}\n`
})

const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-log-'))
  const file = join(folder, 'log')
  const stream = countingOnce(pino.destination({ dest: file, ...SIZES }))
  await once(stream, 'ready')
  return { file, stream, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

it('LOG-40 MUST write each line once and in order, while others are being written and when it ends', async () => {
  await using opened = await open()
  const { stream, file } = opened
  for (const [index, line] of LINES.entries()) {
    stream.write(line)
    if (index % 400 === 0) await new Promise(setImmediate)
    if (index === 1_000) stream.flushSync()
  }
  const closed = once(stream, 'close')
  stream.end()
  await closed
  expect((await readFile(file, 'utf8')) === LINES.join('')).toBe(true)
  expect(() => stream.write('late\n')).toThrow('after its end')
})

it('LOG-41 MUST count the bytes of a line once, and not those that wait again', async () => {
  await using opened = await open()
  const { stream } = opened
  const counted = vi.spyOn(Buffer, 'byteLength')
  for (let line = 0; line < 100; line += 1) stream.write(`${'x'.repeat(100)}\n`)
  const bytes = counted.mock.calls.reduce((sum, [text]) => sum + (text as string).length, 0)
  counted.mockRestore()
  expect(bytes).toBe(100 * 101)
  stream.end()
  await once(stream, 'close')
})

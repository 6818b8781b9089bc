/** The project's files and lines that run between two moments, counted by V8. */
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { projectPath } from '#core/config/project-files.ts'

/** Executed lines by file, from the root; blank lines and lines of comments do not count. */
export type Executed = Map<string, number>

const ROOT = projectPath('')
const PRODUCT = /^(core|engine|connectors|topology|subgraphs|gateway|prisma)\/.*\.ts$/

const isProduct = (file: string) => PRODUCT.test(file) && !/generated/.test(file)

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** Marks each character by the innermost range that holds it: V8 lists outer functions and blocks before inner ones. */
const paint = (text: string, ranges: readonly Range[]): Uint8Array => {
  const ran = new Uint8Array(text.length)
  for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  return ran
}

const COMMENT = /^(\/\/|\/?\*)/

const countLines = (text: string, ran: Uint8Array): number => {
  let [offset, lines] = [0, 0]
  for (const line of text.split('\n')) {
    const code = line.trim()
    const start = offset + line.indexOf(code)
    if (code !== '' && !COMMENT.test(code) && ran.subarray(start, start + code.length).includes(1)) lines++
    offset += line.length + 1
  }
  return lines
}

for (const flag of ['--no-turbofan', '--no-maglev']) setFlagsFromString(flag)

let counting: Promise<Session> | undefined

/**
 * Begins to count, once for all: at each beginning V8 drops compiled code, and what runs next is slow. Optimized code would
 * not be counted.
 */
const startCounting = async (): Promise<Session> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return session
}

/** Runs something once and tells which lines of the product ran meanwhile. What only modules do when loaded is left out. */
export async function executedDuring(run: () => Promise<void>): Promise<Executed> {
  counting ??= startCounting()
  const session = await counting
  // The counts begin anew.
  await session.post('Profiler.takePreciseCoverage')
  await run()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const executed: Executed = new Map()
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue
    const path = fileURLToPath(url)
    const file = path.startsWith(ROOT) ? path.slice(ROOT.length).replace(/^\//, '') : ''
    if (!isProduct(file)) continue
    const text = readFileSync(path, 'utf8')
    const lines = countLines(
      text,
      paint(
        text,
        functions.flatMap(({ ranges }) => ranges),
      ),
    )
    if (lines > 0) executed.set(file, lines)
  }
  return executed
}

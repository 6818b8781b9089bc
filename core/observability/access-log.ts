/**
 * The access log: a line for each request, and for each operation of a stream at its end. Query strings and bodies are not
 * logged. A line costs a twentieth of a request by way of pino and the mask, so that one whose texts the mask leaves as they are is
 * written past both, with the same bytes.
 */
import { bindingsOf, logStreamOf } from '../third-party/pino.ts'
import { isId } from '../values/id.ts'
import { type Logger, withoutRedaction } from './log.ts'
import { createMask } from './log-mask.ts'
import type { RequestFacts, RequestListener } from './request-facts.ts'

/** Longest name of an operation in a line; clients choose them. */
const MAX_NAME = 256
/** Texts that are remembered with their form in a line: paths without ids, names of operations, clients. */
const REMEMBERED = 2_000
const ID_LENGTH = 36

const MESSAGE = 'request'

const tenths = (ms: number): number => Math.round(ms * 10) / 10

/** Members of a line, of which undefined ones are not written. */
const membersOf = (facts: RequestFacts) => ({
  correlator: facts.correlator,
  client: facts.principal?.clientId,
  way: facts.way,
  method: facts.method,
  path: facts.path,
  operation: facts.operation?.slice(0, MAX_NAME),
  operationId: facts.operationId,
  status: facts.status,
  code: facts.code,
  reason: facts.reason,
  transaction: facts.transactionId,
  ms: tenths(facts.durationMs),
  databaseMs: tenths(facts.databaseMs),
  subgraphMs: tenths(facts.subgraphMs),
  bytes: facts.bytes,
  delivered: facts.delivered,
})

/** The mask that changes most: what it leaves, every other one leaves too. */
const mask = createMask(false)

/** Text of JSON by the text that it stands for; an empty one where pino or a mask would write another. */
const quotedTexts = new Map<string, string>()

const quoteUnmasked = (text: string): string => {
  if (!text.isWellFormed()) return ''
  const member = `{"text":${JSON.stringify(text)}}`
  return mask(member) === member ? member.slice(8, -1) : ''
}

const quotedText = (text: string): string => {
  const known = quotedTexts.get(text)
  if (known !== undefined) return known
  const quoted = quoteUnmasked(text)
  // To begin anew takes less than to know which was used last.
  if (quotedTexts.size >= REMEMBERED) quotedTexts.clear()
  quotedTexts.set(text, quoted)
  return quoted
}

/** Text of JSON for a text that mostly ends with an id, which has no part in what is remembered. */
const quotedPath = (text: string): string => {
  const at = text.length - ID_LENGTH
  if (at < 1 || text[at - 1] !== '/' || !isId(text.slice(at))) return quotedText(text)
  const quoted = quotedText(text.slice(0, at))
  return quoted && `${quoted.slice(0, -1)}${text.slice(at)}"`
}

/** Ids are all different: they are looked at, and not remembered. */
const quotedId = (text: string): string => (isId(text) ? `"${text}"` : '')

/** Text of a line, member by member: names that are known at run time alone would each be looked up. */
class LineText {
  text = ''
  /** Whether a mask would change a member. */
  isMasked = false

  addText(name: string, value: string | undefined, quote: (text: string) => string): void {
    if (value === undefined) return
    const quoted = quote(value)
    if (quoted === '') this.isMasked = true
    this.text += `,"${name}":${quoted}`
  }

  addNumber(name: string, value: number | undefined): void {
    if (value !== undefined) this.text += `,"${name}":${value}`
  }
}

/** Members as pino writes them, in the order of `membersOf`; undefined where a mask would change one. */
const unmaskedText = (facts: RequestFacts): string | undefined => {
  const line = new LineText()
  line.addText('correlator', facts.correlator, quotedId)
  line.addText('client', facts.principal?.clientId, quotedText)
  line.addText('way', facts.way, quotedText)
  line.addText('method', facts.method, quotedText)
  line.addText('path', facts.path, quotedPath)
  line.addText('operation', facts.operation?.slice(0, MAX_NAME), quotedText)
  line.addText('operationId', facts.operationId, quotedText)
  line.addNumber('status', facts.status)
  line.addText('code', facts.code, quotedText)
  line.addText('reason', facts.reason, quotedText)
  line.addText('transaction', facts.transactionId, quotedId)
  line.addNumber('ms', tenths(facts.durationMs))
  line.addNumber('databaseMs', tenths(facts.databaseMs))
  line.addNumber('subgraphMs', tenths(facts.subgraphMs))
  line.addNumber('bytes', facts.bytes)
  line.addNumber('delivered', facts.delivered)
  return line.isMasked ? undefined : line.text
}

/** Makes the listener that logs each request. */
export const createAccessLog = (log: Logger): RequestListener => {
  const lines = withoutRedaction(log)
  const stream = logStreamOf(lines)
  const bindings = bindingsOf(lines)
  return facts => {
    if (!lines.isLevelEnabled('info')) return
    const text = unmaskedText(facts)
    if (text === undefined) lines.info(membersOf(facts), MESSAGE)
    else stream.write(`{"level":30,"time":${Date.now()}${bindings}${text},"msg":"${MESSAGE}"}\n`)
  }
}

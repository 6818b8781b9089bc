/** One stream of JSON lines of all processes, whatever they say. */
import { expect, it } from 'vitest'
import { toLogLine } from '#topology/processes/lines.ts'

it('LINES-01 MUST pass a line of the log whole, with the name of its process', () => {
  const line = '{"level":30,"time":1,"msg":"a \\"b\\" }{"}'
  expect(JSON.parse(toLogLine('prepaid', line))).toEqual({ process: 'prepaid', ...JSON.parse(line) })
})

it.each(['ready', '', '{"broken', '{half', "TypeError: x is not\ta 'function'", '"\\'])(
  'LINES-02 MUST make a line of the log of other words: %j',
  said => {
    const line = toLogLine('gateway', said)
    expect(line).not.toContain('\n')
    expect(JSON.parse(line)).toEqual({ process: 'gateway', level: 30, time: expect.any(Number), msg: said })
  },
)

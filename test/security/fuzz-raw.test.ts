/** Bytes that are hardly HTTP: every response that comes is the contract's, and the connection ends. */
import { afterAll, beforeAll } from 'vitest'
import { audit } from '../support/audit.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { fuzz } from './support/fuzz.ts'
import { envelopeFaults } from './support/judge.ts'
import { exchange, readAnswers } from './support/raw.ts'
import { makeRawCase, type RawCase } from './support/raw-cases.ts'

let stack: Stack
const logLines: string[] = []

beforeAll(async () => {
  stack = await startStack({ logLines })
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const send = async ({ bytes }: RawCase): Promise<string[]> => {
  const responses = readAnswers(await exchange(stack.address, bytes))
  const faults = responses.flatMap(envelopeFaults)
  const { status } = await fetch(`${stack.address}/health/live`)
  return status === 200 ? faults : [...faults, `health says ${status} afterwards`]
}

audit('SECURITY-FUZZ', [
  [
    '30',
    'MUST answer any bytes with a response of the contract, or close',
    () => fuzz({ what: 'raw HTTP', long: 2_000, make: makeRawCase, send, logLines }),
  ],
])

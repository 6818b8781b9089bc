/** An export of any length takes the memory of a page, however many entries it holds. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { startStack } from '../../support/stack.ts'

const ENTRIES = 50_000
/** Between the first look and the last there are 40,000 entries, of which the text alone takes 15 MB. */
const MOST_BYTES = 6 * 1_024 * 1_024

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const heldBytes = () => {
  collect()
  return process.memoryUsage().heapUsed
}

it('EXP-10 exports fifty thousand entries in flat memory, and each of them once', {
  timeout: 120_000,
}, async () => {
  await using stack = await startStack({ env: { DEMO: '0' } })
  await stack.app.db.$executeRaw`
    INSERT INTO activity.entry (id, sort, kind, client_id, account_number, occurred_at, status, outcome, currency, amount,
      text, merchant, reason)
    SELECT gen_random_uuid(), n::bigint * 524288, 'PAYMENT', 'shop', '100001', to_timestamp(n), 'succeeded', 'COMPLETED',
      'OMR', n, repeat('bill ', 40), 'Shop ' || n % 100, ''
    FROM generate_series(1, ${ENTRIES}::int) n`
  const token = await stack.token({ id: 'exp-analyst', role: 'analyst' })
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${stack.address}/exports/timeline.csv?minAmount=1`, { headers })
  const held: number[] = []
  let [lines, looked] = [0, 0]
  for await (const chunk of response.body!) {
    lines += Buffer.from(chunk).toString('latin1').split('\n').length - 1
    if (lines - looked < 5_000) continue
    looked = lines
    held.push(heldBytes())
  }
  expect(lines).toBe(ENTRIES + 1)
  expect(looked).toBeGreaterThan(ENTRIES - 10_000)
  expect(Math.max(...held) - held[0]!).toBeLessThan(MOST_BYTES)
})

import { it } from 'vitest'
import { startStack } from '../support/stack.ts'

it('x', async () => {
  await using stack = await startStack()
  const token = await stack.token()
  let t = performance.now()
  const lap = (n: string) => {
    console.log(n, Math.round(performance.now() - t))
    t = performance.now()
  }
  await Promise.all(
    Array.from({ length: 1000 }, (_, n) => stack.app.directory.line('phone', `9689${1_000_000 + n}`)),
  )
  lap('lookups')
  for (let i = 0; i < 3; i++) {
    const r = await fetch(stack.address + '/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query:
          'mutation ($input: SendSmsBatchInput!) { sendSmsBatch(input: $input) { recipient message { otlTransactionId } error { code message } } }',
        variables: {
          input: {
            clientCorrelatorId: 'b' + i,
            sender: 'x',
            smsText: 'hi',
            recipients: Array.from({ length: 1000 }, (_, n) => `9689${1_000_000 + n}`),
          },
        },
      }),
    })
    const j: any = await r.json()
    lap('batch ' + JSON.stringify(j.errors?.[0] ?? j.data.sendSmsBatch[0]))
    await stack.settled()
    lap('settled')
  }
})

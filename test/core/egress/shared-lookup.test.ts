/** Shared look-ups: one for all that wait for a name, and a new one for each that comes later. */
import type { LookupAddress } from 'node:dns'
import { expect, it } from 'vitest'
import { type Lookup, shareLookups } from '#core/egress/guarded-agent.ts'

type Answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Look-ups that are answered by hand. */
const startLookups = () => {
  const lookups: { readonly name: string; readonly answer: Answer }[] = []
  const lookup = shareLookups((name, _, answer) => void lookups.push({ name, answer }))
  return { lookups, lookup }
}

const ask = (lookup: Lookup, name: string, family = 0) => {
  const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>()
  lookup(name, { all: true, family }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  return promise
}

const ADDRESS = [{ address: '192.0.2.1', family: 4 }]

it('LOOKUP-01 who asks while a name is looked up is given the same answer', async () => {
  const { lookups, lookup } = startLookups()
  const answers = [ask(lookup, 'a.example'), ask(lookup, 'a.example')]
  expect(lookups).toHaveLength(1)
  lookups[0]!.answer(null, ADDRESS)
  expect(await Promise.all(answers)).toEqual([ADDRESS, ADDRESS])
})

it('LOOKUP-02 a failure is given to all, and the next one looks again', async () => {
  const { lookups, lookup } = startLookups()
  const answers = [ask(lookup, 'a.example'), ask(lookup, 'a.example')]
  lookups[0]!.answer(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), [])
  for (const answer of answers) await expect(answer).rejects.toMatchObject({ code: 'ENOTFOUND' })
  const next = ask(lookup, 'a.example')
  lookups[1]!.answer(null, ADDRESS)
  expect(await next).toEqual(ADDRESS)
})

it('LOOKUP-03 other names and other families of addresses are looked up by themselves', () => {
  const { lookups, lookup } = startLookups()
  for (const [name, family] of [['a.example'], ['b.example'], ['a.example', 4]] as const)
    void ask(lookup, name, family)
  expect(lookups.map(({ name }) => name)).toEqual(['a.example', 'b.example', 'a.example'])
})

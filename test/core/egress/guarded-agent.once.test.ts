/** Connections to webhooks: each is looked at again, whatever was checked when the address was posted. */
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ownAddressCheck } from '#core/egress/addresses.ts'
import { type AllowList, readAllowList } from '#core/egress/callback-policy.ts'
import { createGuardedAgent } from '#core/egress/guarded-agent.ts'
import { NOTHING } from './policy-check.ts'

/** A server that counts who gets through to it. */
const startTarget = async () => {
  let connections = 0
  const server = createServer((_, response) => response.writeHead(204).end())
  server.on('connection', () => connections++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { port, connections: () => connections, [Symbol.dispose]: () => void server.close() }
}

const resolvingTo =
  (...responses: string[][]) =>
  (_: string, __: unknown, callback: (error: null, addresses: LookupAddress[]) => void) => {
    const addresses = responses.length > 1 ? responses.shift()! : responses[0]!
    callback(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }

const OPEN = readAllowList(['127.0.0.0/8', '0.0.0.0/8', '::/127', 'hooks.test'])

const agentFor = (allow: AllowList, lookup?: never, isOwn?: (ip: string, port: number) => boolean) => {
  const agent = createGuardedAgent({ allow, isOwn }, lookup)
  return { agent, [Symbol.asyncDispose]: () => agent.destroy() }
}

const codeOf = async ({ agent }: ReturnType<typeof agentFor>, origin: string) => {
  try {
    const { statusCode, body } = await agent.request({
      origin,
      path: '/',
      method: 'POST',
      body: '{}',
      reset: true,
    })
    await body.dump()
    return statusCode
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('connections', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]', 'localhost'])(
    'HOOK-56 %s is refused whatever was checked before',
    async host => {
      using target = await startTarget()
      await using agent = agentFor(NOTHING)
      expect(await codeOf(agent, `http://${host}:${target.port}`)).toBe('REFUSED_ADDRESS')
      expect(target.connections()).toBe(0)
    },
  )

  it.each([
    ['a private address', ['127.0.0.1']],
    ['a public and a private one', ['8.8.8.8', '127.0.0.1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
  ])('HOOK-57 a name that leads to %s is refused', async (_, addresses) => {
    using target = await startTarget()
    await using agent = agentFor(NOTHING, resolvingTo(addresses) as never)
    expect(await codeOf(agent, `http://hooks.example.com:${target.port}`)).toBe('REFUSED_ADDRESS')
    expect(target.connections()).toBe(0)
  })

  it('HOOK-58 a name that leads to another address the next time is checked again', async () => {
    using target = await startTarget()
    const allow = readAllowList(['127.0.0.1'])
    await using agent = agentFor(allow, resolvingTo(['127.0.0.1'], ['127.0.0.2']) as never)
    expect(await codeOf(agent, `http://hooks.example.com:${target.port}`)).toBe(204)
    expect(await codeOf(agent, `http://hooks.example.com:${target.port}`)).toBe('REFUSED_ADDRESS')
  })

  it('HOOK-70 an opened host is open at the port that is named', async () => {
    using target = await startTarget()
    for (const [entry, outcome] of [
      [`127.0.0.1:${target.port}`, 204],
      ['127.0.0.1:1', 'REFUSED_ADDRESS'],
    ] as const) {
      await using agent = agentFor(readAllowList([entry]), resolvingTo(['127.0.0.1']) as never)
      expect(await codeOf(agent, `http://hooks.example.com:${target.port}`)).toBe(outcome)
      expect(await codeOf(agent, `http://127.0.0.1:${target.port}`)).toBe(outcome)
    }
  })

  it('HOOK-71 what is our own is refused by every way that leads there, although it is opened', async () => {
    using target = await startTarget()
    const isOwn = ownAddressCheck(() => [target.port])
    await using agent = agentFor(OPEN, resolvingTo(['127.0.0.1']) as never, isOwn)
    for (const host of [
      '127.0.0.1',
      '127.0.0.2',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      'hooks.test',
    ])
      expect([host, await codeOf(agent, `http://${host}:${target.port}`)]).toEqual([host, 'REFUSED_ADDRESS'])
    expect(target.connections()).toBe(0)
  })

  it('HOOK-72 of a name with very many addresses a bounded number is looked at', async () => {
    using target = await startTarget()
    const many = Array.from({ length: 5_000 }, () => '127.0.0.1')
    const barred = resolvingTo([...many, '10.0.0.1']) as never
    let looked = 0
    await using agent = agentFor(readAllowList(['127.0.0.1']), barred, () => ++looked < 0)
    expect(await codeOf(agent, `http://hooks.example.com:${target.port}`)).toBe(204)
    expect(looked).toBeLessThanOrEqual(33)
  })

  it('HOOK-59 an opened name may lead anywhere', async () => {
    using target = await startTarget()
    await using agent = agentFor(readAllowList(['hooks.test']), resolvingTo(['127.0.0.1']) as never)
    expect(await codeOf(agent, `http://hooks.test:${target.port}`)).toBe(204)
  })
})

/** Addresses of PostgreSQL with several hosts, as libpq reads them. */
import { describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { databaseAddress, databasePlaces, forReading } from '#core/config/database-address.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const RW = 'target_session_attrs=read-write'

const faultsOf = (url: string, env: Record<string, string> = {}) => {
  try {
    readConfig({ DATABASE_URL: url, SECRETS_KEY: KEY, ...env })
    return undefined
  } catch (error) {
    return (error as Error).message.split('\n')[1]!.trim()
  }
}

describe('the hosts of an address', () => {
  it.each([
    ['postgresql://u@h1:5433,h2/d', ['h1:5433', 'h2:5432']],
    ['postgresql://u:p%40ss@[::1]:5433,[fe80::2]/d', ['::1:5433', 'fe80::2:5432']],
    ['postgres://h1,h2/d?port=6000', ['h1:6000', 'h2:6000']],
    ['postgresql:///d?host=h1,h2&port=1,2', ['h1:1', 'h2:2']],
    ['postgresql://h/d', ['h:5432']],
    ['postgresql:///d', []],
  ])('HOSTS-01 stand in %s', (url, places) => {
    expect(databasePlaces(url).map(({ host, port }) => `${host}:${port}`)).toEqual(places)
  })

  it('HOSTS-02 leave the driver an address that it can read, with user, database and other parameters', () => {
    const { first, target, isShuffled } = databaseAddress(
      `postgresql://u:p%40ss@[::1]:5433,h2/d?sslmode=disable&${RW}&load_balance_hosts=random`,
    )
    expect(first).toBe('postgresql://u:p%40ss@[::1]:5433/d?sslmode=disable')
    expect({ target, isShuffled }).toEqual({ target: 'read-write', isShuffled: true })
  })

  it('HOSTS-03 are those of the primary for a process that only reads by its own setting', () => {
    expect(forReading(`postgresql://h1,h2/d?a=b&${RW}`)).toBe(
      'postgresql://h1,h2/d?a=b&target_session_attrs=primary',
    )
    expect(forReading('postgresql://h1,h2/d?target_session_attrs=prefer-standby')).toContain('prefer-standby')
  })
})

describe('the start', () => {
  it.each([
    [`postgresql://h1,h2/d?${RW}`],
    ['postgresql://h1,h2/d?target_session_attrs=primary'],
    ['postgresql://h1/d'],
    ['postgresql:///d?host=/run/postgresql'],
  ])('HOSTS-04 takes %s', url => expect(faultsOf(url)).toBeUndefined())

  it.each([
    ['postgresql://h1,h2/d', 'target_session_attrs=read-write: this process writes'],
    ['postgresql://h1,h2/d?target_session_attrs=prefer-standby', 'target_session_attrs=read-write'],
    ['postgresql://h1,h2/d?target_session_attrs=leader', 'one of any, read-write,'],
    [`postgresql://h1,h2/d?${RW}&load_balance_hosts=yes`, 'load_balance_hosts is disable or random'],
    [`postgresql://h1,/d?${RW}`, 'host:port,host:port'],
    [`postgresql://h1:70000,h2/d?${RW}`, 'host:port,host:port'],
    [`postgresql://h1,h2/d?${RW}&port=1,2,3`, 'host:port,host:port'],
    ['mysql://h1,h2/d', 'a postgresql:// address'],
  ])('HOSTS-05 refuses %s by the name of the setting, and says what is wrong', (url, words) => {
    expect(faultsOf(url)).toMatch(/^DATABASE_URL must be /)
    expect(faultsOf(url)).toContain(words)
  })

  it('HOSTS-06 takes several hosts of any kind for a process that only reads', () => {
    const env = { READ_ONLY: '1' }
    expect(faultsOf('postgresql://h1,h2/d?target_session_attrs=prefer-standby', env)).toBeUndefined()
    expect(faultsOf(`postgresql://h1,h2/d?${RW}`, env)).toBeUndefined()
  })

  it('HOSTS-07 takes an address around a pooler, and DATABASE_URL where there is none', () => {
    const [pooler, direct] = ['postgresql://h1:6432/d', `postgresql://h1,h2/d?${RW}`]
    const read = (env: Record<string, string>) => readConfig({ SECRETS_KEY: KEY, ...env }).databaseDirectUrl
    expect(read({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: direct })).toBe(direct)
    expect(read({ DATABASE_URL: pooler })).toBe(pooler)
    expect(faultsOf(pooler, { DATABASE_DIRECT_URL: 'h1' })).toMatch(
      /^DATABASE_DIRECT_URL must be a postgresql/,
    )
    expect(() => read({ DATABASE_DIRECT_URL: direct })).toThrow(
      /DATABASE_URL must be set when DATABASE_DIRECT_URL is set/,
    )
  })
})

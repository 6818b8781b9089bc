/** The declaration of the settings and what is read are the same. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError, readConfig } from '#core/config/config.ts'
import { SETTINGS, SETTINGS_BY_SECTION } from '#core/config/settings.ts'

/** With these, sections that are left out otherwise are read too. */
const EVERYTHING = {
  CHARGING: 'http',
  CHARGING_URL: 'http://127.0.0.1:1',
  SMS: 'smpp',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
}

/** An environment that records which names are read. */
const listening = (env: Record<string, string>) => {
  const read = new Set<string>()
  const get = (target: Record<string, string>, name: string) => {
    read.add(name)
    return target[name]
  }
  return { read, env: new Proxy(env, { get: get as ProxyHandler<Record<string, string>>['get'] }) }
}

const faultsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

const SECRETS = Object.entries(SETTINGS).flatMap(([name, setting]) => ('isSecret' in setting ? [name] : []))

/** A file with this content, in a folder that is removed at the end of the test. */
const fileWith = (content: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, content)
  return file
}

const KEY = Buffer.alloc(32, 7).toString('base64')

describe('a secret', () => {
  it('is read from a file, without the white space around it', () => {
    const env = { DATABASE_URL: 'postgresql://h/d', SECRETS_KEY_FILE: fileWith(`${KEY}\n`) }
    expect(readConfig(env).secretsKey).toBe(KEY)
  })

  it.each(SECRETS)('is refused where it is given twice: %s', name => {
    const env = { ...EVERYTHING, [name]: 'one', [`${name}_FILE`]: fileWith('other') }
    expect(faultsOf(env)).toContain(`${name} and ${name}_FILE must not both be set`)
  })

  it.each(SECRETS)('is refused by the name of its file where that cannot be read: %s', name => {
    const refused = `${name}_FILE must name a file`
    expect(faultsOf({ ...EVERYTHING, [`${name}_FILE`]: '/nowhere/to/be/found' })).toContain(refused)
    expect(faultsOf({ ...EVERYTHING, [`${name}_FILE`]: fileWith('') })).toContain(refused)
    expect(faultsOf({ ...EVERYTHING, [`${name}_FILE`]: fileWith('x'.repeat(65_537)) })).toContain(refused)
  })

  it('is not missed where its file cannot be read, which is the fault', () => {
    const env = { DATABASE_URL: 'postgresql://h/d', SECRETS_KEY_FILE: '/nowhere/to/be/found' }
    expect(faultsOf(env)).toMatch(/has 1 fault\(s\):\n {2}SECRETS_KEY_FILE must name a file that can be read/)
  })

  it('stands in no message', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://u:hunter2@h/d', SECRETS_KEY: KEY })).toBe(
      'The configuration has 1 fault(s):\n  DATABASE_URL must be a postgresql:// address (unset for the embedded database)',
    )
  })
})

describe('settings', () => {
  it('are read, every declared one and no other', () => {
    const { read, env } = listening({ ...EVERYTHING })
    faultsOf(env)
    const files = SECRETS.map(name => `${name}_FILE`)
    expect([...read].toSorted()).toEqual([...Object.keys(SETTINGS), ...files].toSorted())
  })

  it('stand in one section each', () => {
    const listed = Object.values(SETTINGS_BY_SECTION).flatMap(section => Object.keys(section))
    expect(listed.toSorted()).toEqual(Object.keys(SETTINGS).toSorted())
  })

  it('hold by their defaults', () => {
    expect(faultsOf({})).toBe('')
  })

  const integers = Object.entries(SETTINGS).flatMap(([name, setting]) =>
    setting.kind === 'integer' ? [{ name, min: setting.min, max: setting.max }] : [],
  )
  it.each(integers)('are refused beyond their bounds, by name: $name', ({ name, min, max }) => {
    const fault = (value: number) => faultsOf({ ...EVERYTHING, [name]: String(value) })
    const sentence = `${name} must be a whole number from ${min} to ${max}`
    for (const outside of [min - 1, max + 1]) expect(fault(outside)).toContain(sentence)
    for (const inside of [min, max]) expect(fault(inside)).not.toContain(sentence)
  })

  const choices = Object.entries(SETTINGS).flatMap(([name, setting]) =>
    'oneOf' in setting ? [{ name, oneOf: setting.oneOf }] : [],
  )
  it.each(choices)('are refused by name where they are none of their values: $name', ({ name, oneOf }) => {
    const refused = `${name} must be`
    expect(faultsOf({ ...EVERYTHING, [name]: 'something else' })).toContain(refused)
    for (const value of oneOf)
      expect(faultsOf({ ...EVERYTHING, [name]: value })).not.toContain(`${refused} one of`)
  })
  it.each(['+04:00', '-03:30', '+04', 'Mars/Olympus'])(
    'are refused for a time zone that the database reads otherwise, or not at all: %s',
    zone => {
      const sentence = 'OPERATOR_TIMEZONE must be an IANA time zone'
      expect(faultsOf({ OPERATOR_TIMEZONE: zone })).toContain(sentence)
      expect(faultsOf({ OPERATOR_TIMEZONE: 'Etc/GMT-4' })).not.toContain(sentence)
    },
  )
})

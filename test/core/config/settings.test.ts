/** The declaration of the settings and what is read are the same. */
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '#core/config/config.ts'
import { SETTINGS, SETTINGS_BY_SECTION } from '#core/config/settings.ts'

/** With these, sections that are left out otherwise are read too. */
const EVERYTHING = { CHARGING: 'http', CHARGING_URL: 'http://127.0.0.1:1', SMS: 'smpp' }

/** An environment that notes which names are asked for. */
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

describe('settings', () => {
  it('are read, every declared one and no other', () => {
    const { read, env } = listening({ ...EVERYTHING })
    faultsOf(env)
    expect([...read].toSorted()).toEqual(Object.keys(SETTINGS).toSorted())
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
    expect(faultsOf({ [name]: 'something else' })).toContain(refused)
    for (const value of oneOf) expect(faultsOf({ [name]: value })).not.toContain(`${refused} one of`)
  })
})

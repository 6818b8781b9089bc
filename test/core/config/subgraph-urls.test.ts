/** `SUBGRAPH_URLS`: where subgraphs run that are processes of their own. */
import { describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'

const read = (text?: string) => Object.fromEntries(readConfig({ SUBGRAPH_URLS: text }).subgraphUrls)

describe('SUBGRAPH_URLS', () => {
  it('URL-01 MUST be empty unless set', () => {
    expect(read()).toEqual({})
    expect(read(' , ')).toEqual({})
  })

  it('URL-02 MUST give the address of each name', () => {
    expect(read('loyalty=http://a:1, prepaid = https://b/graphql')).toEqual({
      loyalty: 'http://a:1',
      prepaid: 'https://b/graphql',
    })
  })

  it('URL-03 MUST take the name of a service that is not there yet', () => {
    expect(read('parking=http://a:1')).toEqual({ parking: 'http://a:1' })
  })

  it.each([
    ['loyalty', 'loyalty must be at an http(s) address'],
    ['loyalty=', 'loyalty must be at an http(s) address'],
    ['loyalty=localhost:1', 'loyalty must be at an http(s) address'],
    ['loyalty=ftp://a', 'loyalty must be at an http(s) address'],
    ['loyalty=http://user:word@a', 'loyalty must be at an http(s) address'],
    ['loyalty=http://a?x=1', 'loyalty must be at an http(s) address'],
    ['=http://a', '"" is not the name of a subgraph'],
    ['9x=http://a', '"9x" is not the name of a subgraph'],
    ['a b=http://a', '"a b" is not the name of a subgraph'],
    ['a=http://a,a=http://b', 'a stands twice: name one address, of a balancer before its processes'],
  ])('URL-04 MUST be refused with the reason: %s', (text, reason) => {
    expect(() => read(text)).toThrow(`SUBGRAPH_URLS must be name=url, comma-separated: ${reason}`)
  })

  it('URL-05 MUST be refused with every fault, beside those of others, and without secrets', () => {
    const wrong = { SUBGRAPH_URLS: 'a=x,=y,b=http://u:word@h', PORT: 'x' }
    expect(() => readConfig(wrong)).toThrow('The configuration has 4 fault(s)')
    expect(() => readConfig(wrong)).not.toThrow('word')
  })
})

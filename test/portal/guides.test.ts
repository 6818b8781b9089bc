/** The guides as the pages show them: every link leads somewhere, and what can be run is. */
import { parse } from 'graphql'
import { expect, it } from 'vitest'
import { GROUPS, readGuides } from '../../portal/guides.ts'

const guides = readGuides()
const anchorsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
const anchors = new Map(guides.map(({ name, html }) => [name, anchorsOf(html)]))

it('GUIDES-01 MUST be all of docs/, each with a title and a text', () => {
  expect(guides.length).toBeGreaterThan(25)
  for (const { title, html } of guides) {
    expect(title).not.toMatch(/^[a-z]|&/)
    expect(html).toContain('<h1 id=')
  }
})

it('GUIDES-02 MUST lead by each link to a guide and a heading that are there', () => {
  const links = guides.flatMap(({ name, links: all }) => all.map(link => [name, link] as const))
  expect(links.length).toBeGreaterThan(50)
  const dead = links.filter(([, link]) => {
    const [path = '', anchor] = link.replace('/docs/', '').split('#')
    return !anchors.get(path) || (anchor !== undefined && !anchors.get(path)!.has(anchor))
  })
  expect(dead).toEqual([])
})

it('GUIDES-03 MUST have each heading once, and a section of text for the search', () => {
  for (const { name, html, sections } of guides) {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect([name, new Set(ids).size]).toEqual([name, ids.length])
    expect(sections.filter(({ text }) => text !== '').length).toBeGreaterThan(0)
  }
})

it('GUIDES-04 MUST offer to run operations alone, whole and with variables', () => {
  const addresses = guides.flatMap(({ html }) =>
    [...html.matchAll(/class="guide-run" href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&')),
  )
  expect(addresses.length).toBeGreaterThan(30)
  for (const address of addresses) {
    const shared = new URLSearchParams(address.split('#')[1])
    const { definitions } = parse(shared.get('query')!)
    expect(definitions.every(({ kind }) => /^(Operation|Fragment)Definition$/.test(kind))).toBe(true)
    expect(JSON.parse(shared.get('variables')!)).toEqual(expect.any(Object))
  }
})

it('GUIDES-05 MUST have nothing that runs or comes from elsewhere', () => {
  for (const { html } of guides) {
    const outside = html.replaceAll(/<code>.*?<\/code>/gs, '')
    expect(outside).not.toMatch(/<script|<img|<iframe|<style| on[a-z]+=/)
  }
})

it('GUIDES-06 MUST stand each among those of its readers', () => {
  const listed: readonly string[] = Object.values(GROUPS).flat()
  const own = guides.filter(({ name }) => !name.startsWith('adr'))
  expect(own.map(({ name }) => name).toSorted()).toEqual(listed.toSorted())
})

it('GUIDES-07 MUST lead to the documents of the contract where a server has them', () => {
  const hrefs = guides.flatMap(({ html }) =>
    [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!),
  )
  expect(hrefs).toEqual(expect.arrayContaining(['/asyncapi.yaml', '/openapi/partner.yaml']))
})

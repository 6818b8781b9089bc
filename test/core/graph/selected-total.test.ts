/** A total that is counted beside its page: as it would be after it, also where one of them fails. */
import { type DocumentNode, type FieldNode, type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, it, vi } from 'vitest'
import { selectsTotal, withTotal } from '#core/graph/connections.ts'
import { toConnection } from '#core/paging/page.ts'

const fieldNodes = (text: string) => {
  const { definitions }: DocumentNode = parse(text)
  return { fieldNodes: (definitions[0] as OperationDefinitionNode).selectionSet.selections as FieldNode[] }
}

describe('a total', () => {
  it.each([
    ['{ payments { totalCount } }', true],
    ['{ payments { nodes { id } all: totalCount } }', true],
    ['{ payments { nodes { id } } payments { totalCount } }', true],
    ['{ payments { nodes { totalCount } } }', false],
    ['query ($a: Boolean!) { payments { totalCount @include(if: $a) } }', false],
    ['query ($a: Boolean!) { payments { ... @skip(if: $a) { totalCount } } }', false],
    ['{ payments }', false],
  ])('TOTAL-01 is counted early where it is selected whatever the variables are: %s', (text, selected) => {
    expect(selectsTotal(fieldNodes(text))).toBe(selected)
  })

  const pageOf = (nodes: object[]) =>
    Promise.resolve(toConnection({ size: 1, descending: true, backward: false }, nodes, () => ''))

  it('TOTAL-02 is counted before the page is there, or when it is requested', async () => {
    const count = vi.fn(async () => 7)
    const page = pageOf([])
    const early = withTotal(page, count, true)
    expect(count).toHaveBeenCalledOnce()
    expect(await (await early).totalCount()).toBe(7)
    count.mockClear()
    const late = await withTotal(page, count, false)
    expect(count).not.toHaveBeenCalled()
    expect(await late.totalCount()).toBe(7)
  })

  it('TOTAL-03 that cannot be counted fails who asks for it, and nobody else', async () => {
    const failing = Promise.reject(new Error('no total'))
    const page = await withTotal(pageOf([{ id: 1 }]), () => failing, true)
    expect(page.nodes).toEqual([{ id: 1 }])
    await expect(page.totalCount()).rejects.toThrow('no total')
    const none = withTotal(Promise.reject(new Error('no page')), () => Promise.reject(new Error('no')), true)
    await expect(none).rejects.toThrow('no page')
  })
})

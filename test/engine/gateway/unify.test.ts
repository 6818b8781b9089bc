/** Equal entities at a path become one object, and nothing else does. */
import { describe, expect, it } from 'vitest'
import { compileUnify } from '#engine/gateway/unify.ts'

const PATH = ['users', '@', 'reviews', '@', 'product']

type Product = Record<string, unknown> | null

const dataOf = (...products: Product[]) => ({
  users: [{ reviews: products.map(product => ({ product })) }, { reviews: null }, null],
})

const productsIn = ({ users }: ReturnType<typeof dataOf>) =>
  (users[0] as { reviews: { product: Product }[] }).reviews.map(({ product }) => product)

/** Unifies the products at the path. */
const unified = (...products: Product[]) => {
  const data = dataOf(...products)
  compileUnify(PATH)!(data)
  return productsIn(data)
}

describe('entities at a path', () => {
  it('UNIFY-01 MUST become one object where they are equal', () => {
    const [first, second, other] = unified({ upc: 'a' }, { upc: 'a' }, { upc: 'b' })
    expect(second).toBe(first)
    expect(other).toEqual({ upc: 'b' })
  })

  it.each<[string, Product, Product]>([
    ['another value', { upc: 'a' }, { upc: 'b' }],
    ['another type', { upc: '1' }, { upc: 1 }],
    ['a field more', { upc: 'a' }, { upc: 'a', price: null }],
    ['another type name', { __typename: 'A', upc: 'a' }, { __typename: 'B', upc: 'a' }],
    ['an object within', { upc: 'a', of: {} }, { upc: 'a', of: {} }],
    ['a list within', { upc: 'a', of: [] }, { upc: 'a', of: [] }],
  ])('UNIFY-02 MUST stay apart with %s', (_, one, other) => {
    const [first, second] = unified(one, other)
    expect(first).toBe(one)
    expect(second).toBe(other)
  })

  it('UNIFY-03 MUST leave nulls at their places', () => {
    expect(unified({ upc: 'a' }, null, { upc: 'a' })).toEqual([{ upc: 'a' }, null, { upc: 'a' }])
  })

  it('UNIFY-04 MUST be left alone for a while where they did not repeat, and tried again after it', () => {
    const unify = compileUnify(PATH)!
    unify(dataOf({ upc: 'a' }, { upc: 'b' }, { upc: 'c' }, { upc: 'd' }))
    const isUnified = () => {
      const data = dataOf({ upc: 'a' }, { upc: 'a' })
      unify(data)
      const [first, second] = productsIn(data)
      return first === second
    }
    const tries = Array.from({ length: 60 }, isUnified)
    expect(tries[0]).toBe(false)
    expect(tries.at(-1)).toBe(true)
  })

  it('UNIFY-05 MUST be of a path with a list in it', () => {
    expect(compileUnify(['user', 'product'])).toBeUndefined()
  })

  it('UNIFY-06 MUST be found in lists of lists', () => {
    const data = { rows: [[{ id: 1 }], [{ id: 1 }, { id: 2 }]] }
    compileUnify(['rows', '@', '@'])!(data)
    expect(data.rows[1]![0]).toBe(data.rows[0]![0])
    expect(data).toEqual({ rows: [[{ id: 1 }], [{ id: 1 }, { id: 2 }]] })
  })
})

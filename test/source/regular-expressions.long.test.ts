/**
 * No regular expression that can take more than linear time meets a client's text: each in the source is proved by
 * recheck, which finds the attack where there is one.
 */
import { checkSync } from 'recheck'
import { describe, expect, test } from 'vitest'
import { filesOf, nodesOf, type SyntaxNode } from './syntax.ts'

const FOLDERS = ['core', 'subgraphs', 'gateway', 'engine', 'connectors', 'topology', 'cli', 'prisma']

interface Found {
  readonly source: string
  readonly flags: string
  readonly file: string
}

/** Expressions that never meet a client's text, with the text that they meet instead: `file /source/flags`. */
const NEVER_MEET_CLIENTS: Readonly<Record<string, string>> = {
  [String.raw`core/data/migrations.ts /\$\$.*?\$\$|--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'/gs`]:
    'the migrations of this version',
}

/** Patterns that are put together from others, each of which is proved by itself, with how. */
const PUT_TOGETHER: Readonly<Record<string, string>> = {
  'core/http/pre-auth.ts':
    'known paths, each part of them a literal or [^/]+ between slashes: one way to match',
  'core/observability/log-mask.ts':
    'names and digits without repetition within repetition; strings of JSON by classes that exclude each other',
  'core/webhooks/response-excerpt.ts':
    'escaped literals of bounded number, without repetition, over at most 4,096 characters',
}

interface Node extends SyntaxNode {
  readonly pattern?: string
  readonly flags?: string
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly { readonly type: string; readonly value?: string }[]
}

const isRegExpCall = ({ type, callee }: Node) =>
  (type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp'

const ofCall = ({ arguments: [first, second] = [] }: Node, file: string): Found[] => {
  if (first?.type === 'StringLiteral') return [{ source: first.value!, flags: second?.value ?? '', file }]
  if (Object.hasOwn(PUT_TOGETHER, file)) return []
  throw new Error(`${file}: a RegExp of what is not a literal cannot be proved: list it in PUT_TOGETHER`)
}

/** Every regular expression of a file. */
const read = (file: string): Found[] =>
  nodesOf(file).flatMap((node: Node) => {
    const { type, pattern = '', flags = '' } = node
    if (type === 'RegExpLiteral') return [{ source: pattern, flags, file }]
    return isRegExpCall(node) ? ofCall(node, file) : []
  })

const nameOf = ({ file, source, flags }: Found) => `${file} /${source}/${flags}`

const all = FOLDERS.flatMap(filesOf).flatMap(read)

/** Expressions beyond the automaton (look-aheads, large repetitions) are attacked by trial. */
const prove = ({ source, flags }: Found) => {
  const proof = checkSync(source, flags, { checker: 'automaton', timeout: 20_000 })
  return proof.status === 'unknown' ? checkSync(source, flags, { checker: 'fuzz', timeout: 20_000 }) : proof
}

const proved = new Map<string, ReturnType<typeof prove>>()
const proofOf = (found: Found) => {
  const key = `/${found.source}/${found.flags}`
  const proof = proved.get(key) ?? prove(found)
  proved.set(key, proof)
  return proof
}

describe('regular expressions', () => {
  test('are found', () => {
    expect(all.length).toBeGreaterThan(50)
    expect(all.map(nameOf)).toContain('core/http/pre-auth.ts /^[A-Za-z0-9\\-_:;./<>{}]{1,256}$/')
  })

  test('that can be attacked are seen', () => {
    for (const source of ['0+$', '\\s+x', '(a+)+$', 'got .*; ([^;]*)$'])
      expect(prove({ source, flags: '', file: '' }).status).toBe('vulnerable')
  })

  test('are linear wherever they meet a client', { timeout: 120_000 }, () => {
    const unsafe = all
      .filter(found => !Object.hasOwn(NEVER_MEET_CLIENTS, nameOf(found)))
      .filter(found => proofOf(found).status !== 'safe')
      .map(found => `${nameOf(found)} is ${proofOf(found).status}`)
    expect(unsafe).toEqual([])
  })

  test('are listed as exceptions only while they are there', () => {
    const names = new Set(all.map(nameOf))
    expect(Object.keys(NEVER_MEET_CLIENTS).filter(name => !names.has(name))).toEqual([])
  })
})

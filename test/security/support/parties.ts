/** Parties of the attempts: clients of every kind with tokens, and one without. */
import type { NewClient } from '#core/access/client-input.ts'
import type { App } from '#core/context/app.ts'

/** The number that bound clients are bound to, of account 100001 (demo directory). */
export const BOUND_NUMBER = '96891000001'

const partner = (id: string): NewClient => ({ id, role: 'partner', name: `Name of ${id}`, dummyCards: true })

/** Several partners, so that no limit of one client hides what is behind it. */
const PARTNERS = Array.from({ length: 6 }, (_, index) => partner(`fuzz-${index}`))

const CLIENTS: readonly NewClient[] = [
  ...PARTNERS,
  { ...partner('fuzz-bound'), phoneNumber: BOUND_NUMBER },
  { id: 'fuzz-portal', role: 'portal' },
  { id: 'fuzz-analyst', role: 'analyst' },
]

/** Issuer of tokens: a stack, or services alone. */
export interface Issuer {
  readonly app: App
  token(client: string | NewClient): Promise<string>
}

/** A token for each of them; those that post first. */
export async function issueTokens({ token }: Pick<Issuer, 'token'>): Promise<string[]> {
  const tokens: string[] = []
  for (const client of CLIENTS) tokens.push(await token(client))
  return tokens
}

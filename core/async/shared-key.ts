/**
 * Keys of shared work. Who is told the result belongs to the question as much as its text does: a key of what is asked
 * alone gives one client's answer to another. So no key can be made without an audience, and no audience without a
 * principal (`access/audience.ts`).
 */

declare const MADE: unique symbol

/** The clients who may be told the same, as a text without line breaks. */
export type Audience = string & { readonly [MADE]: 'audience' }

/** The key that tells one piece of shared work from all others: its audience, and what is asked. */
export type SharedKey = string & { readonly [MADE]: 'key' }

/** Makes the key of what is asked for an audience; the first line is the audience's, whatever the text holds. */
export const sharedKey = (audience: Audience, asked: string): SharedKey =>
  `${audience}\n${asked}` as SharedKey

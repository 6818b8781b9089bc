/** Texts whose bytes are not UTF-8, and what the tests of all doors do with them. */

/** Stands where the wrong bytes will. */
export const MARK = '@@@@'

/** Bytes that are not UTF-8, each by a rule of its own (Unicode 16, table 3-7). */
export const WRONG: Record<string, number[]> = {
  'windows-1256': [0xe3, 0xd1, 0xcd, 0xc8],
  'a continuation alone': [0x80],
  'an overlong form': [0xc0, 0xaf],
  'a surrogate': [0xed, 0xa0, 0x80],
  'beyond U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
  'a cut character': [0xe2, 0x82],
}

/** The text with bytes in place of its mark. */
export const withBytes = (text: string, bytes: readonly number[]): Buffer<ArrayBuffer> => {
  const [before, after] = text.split(MARK)
  return Buffer.concat([Buffer.from(before!), Buffer.from(bytes), Buffer.from(after!)])
}

/** The bytes as a query string has them. */
export const percentEncoded = (bytes: readonly number[]) =>
  bytes.map(byte => `%${byte.toString(16)}`).join('')

/** The message of a refusal, by REST or the graph. */
export const messageOf = (body: { message?: string; errors?: { message: string }[] }) =>
  body.message ?? body.errors?.[0]?.message

/** Every door is tried with text of another encoding, and the first with every kind of wrong bytes. */
export const cases = <Door>(doors: readonly Door[]) => [
  ...doors.map(door => ['windows-1256', door] as const),
  ...Object.keys(WRONG).map(what => [what, doors[0]!] as const),
]

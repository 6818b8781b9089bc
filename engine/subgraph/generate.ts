/**
 * Functions that are written for one selection. A loop over names reads and writes the objects of all selections at one place
 * of the program, so that V8 looks each name up again; in a function of its own it remembers where each one is.
 */

/** A name of GraphQL (October 2021, §2.1.9), which can stand behind a point in JavaScript. */
const NAME = /^[_A-Za-z][_0-9A-Za-z]*$/

/** Values that a function takes along, by the names that its text has for them. */
export type Closed = Readonly<Record<string, unknown>>

/**
 * Makes a function of its text.
 * @param names names of a client's operation in the text.
 * @returns undefined where one of them is no name of GraphQL, and in a process that makes no code of texts
 * (`--disallow-code-generation-from-strings`).
 */
export const generate = <Made>(text: string, names: readonly string[], closed: Closed): Made | undefined => {
  if (!names.every(name => NAME.test(name))) return undefined
  try {
    const make = new Function(...Object.keys(closed), `'use strict'; return ${text}`)
    return make(...Object.values(closed)) as Made
  } catch (error) {
    if (error instanceof EvalError) return undefined
    throw error
  }
}

/** In place of each package of `left-out.js`, whose names are undefined here. */

/** The one that is imported by its name. */
export const makeExecutableSchema = undefined

/** Helpers of the tests of architecture. */

export const within =
  (...folders: string[]) =>
  (to: string) =>
    folders.some(folder => to === folder || to.startsWith(`${folder}/`))

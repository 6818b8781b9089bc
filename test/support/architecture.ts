/** What the tests of architecture share: who imports what. */

export const within =
  (...folders: string[]) =>
  (to: string) =>
    folders.some(folder => to === folder || to.startsWith(`${folder}/`))

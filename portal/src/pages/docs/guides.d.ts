/** The guides as the build gives them (`portal/guides.ts`). */

declare module 'virtual:guides' {
  export const guides: readonly {
    /** Path below `/docs/`. */
    readonly name: string
    readonly title: string
    readonly group: 'portals' | 'partners' | 'operators' | 'developers'
    load(): Promise<{
      readonly html: string
      readonly headings: readonly { readonly heading: string; readonly anchor: string }[]
    }>
  }[]
  /** The text of every section of every guide, for the search. */
  export function loadTexts(): Promise<{
    readonly texts: readonly {
      readonly guide: string
      readonly title: string
      readonly heading: string
      readonly anchor: string
      readonly text: string
    }[]
  }>
}

/** The pages with their addresses, in the order of the navigation. Each is loaded when it is first opened. */
import type { ComponentType } from 'react'
import type { PAGE_PATHS } from '#gateway/pages/page-config.ts'
import type { Messages } from '../i18n/en.ts'

/** Paths of the server without the marker of those below them. */
type PagePath = Exclude<(typeof PAGE_PATHS)[number], `${string}*`>

export interface Page {
  readonly path: PagePath
  /** Name in the navigation and the title of the window. */
  readonly name: (m: Messages) => string
  /** Whether the page has addresses below its own, and routes them itself by the splat. */
  readonly deep?: boolean
  readonly inNavigation?: boolean
  /** Whether the page is there only where clients may read the schema. */
  readonly needsSchema?: boolean
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

export const PAGES: readonly Page[] = [
  { path: '/', name: m => m.nav.home, load: () => import('./home/page.tsx') },
  {
    path: '/explore',
    name: m => m.nav.explore,
    deep: true,
    inNavigation: true,
    load: () => import('./explore/page.tsx'),
  },
  {
    path: '/analyse',
    name: m => m.nav.analyse,
    inNavigation: true,
    load: () => import('./analyse/page.tsx'),
  },
  {
    path: '/desk',
    name: m => m.nav.desk,
    deep: true,
    inNavigation: true,
    load: () => import('./desk/page.tsx'),
  },
  {
    path: '/partner',
    name: m => m.nav.partner,
    deep: true,
    inNavigation: true,
    load: () => import('./partner/page.tsx'),
  },
  {
    path: '/graphql',
    name: m => m.nav.graphql,
    inNavigation: true,
    needsSchema: true,
    load: () => import('./graphql/page.tsx'),
  },
  {
    path: '/docs',
    name: m => m.nav.docs,
    deep: true,
    inNavigation: true,
    needsSchema: true,
    load: () => import('./docs/page.tsx'),
  },
  {
    path: '/reference',
    name: m => m.nav.reference,
    inNavigation: true,
    load: () => import('./reference/page.tsx'),
  },
]

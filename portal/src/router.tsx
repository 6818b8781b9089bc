/** The router: the shell around whichever page the address names. What a page shows is in its address. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { SIGNED_IN_PATH } from '#gateway/pages/page-config.ts'
import { PAGES } from './pages/registry.ts'
import { readSearch, writeSearch } from './search-params.ts'
import { Crashed } from './shell/crashed.tsx'
import { NotFound } from './shell/not-found.tsx'
import { orRenew } from './shell/renewal.ts'
import { Returning } from './shell/returning.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Crashed })

const pageRoutes = PAGES.flatMap(({ path, deep, load }) => {
  const component = lazyRouteComponent(orRenew(load))
  const paths = deep ? [path, `${path}/$`] : [path]
  return paths.map(one =>
    createRoute({ getParentRoute: () => root, path: one, component, errorComponent: Crashed }),
  )
})

const returning = createRoute({ getParentRoute: () => root, path: SIGNED_IN_PATH, component: Returning })

export const router = createRouter({
  routeTree: root.addChildren([...pageRoutes, returning]),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
})

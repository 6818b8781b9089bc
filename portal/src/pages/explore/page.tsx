/** Page for analysts: chooses the view by the address below `/explore`. */
import './explore.css'
import { useLocation, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Loading } from '../../kit/states.tsx'
import { oneOf, type SearchParams } from '../../search-params.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { FoundView } from './found-view.tsx'
import { Overview } from './overview.tsx'

const CustomerView = lazy(async () => ({ default: (await import('./customer-view.tsx')).CustomerView }))
const NumberView = lazy(async () => ({ default: (await import('./customer-view.tsx')).NumberView }))
const TransactionView = lazy(async () => ({
  default: (await import('./transaction-view.tsx')).TransactionView,
}))
const CompareView = lazy(async () => ({ default: (await import('./compare-view.tsx')).CompareView }))

function View() {
  const { pathname } = useLocation()
  const { q } = useSearch({ strict: false }) as SearchParams
  const [, , view, ...rest] = pathname.split('/')
  const name = decodeURIComponent(rest.join('/'))
  const typed = oneOf(q)
  if (!view) return typed ? <FoundView typed={typed} /> : <Overview />
  if (view === 'customers' && name) return <CustomerView key={name} account={name} />
  if (view === 'numbers' && name) return <NumberView key={name} number={name} />
  if (view === 'transactions' && name) return <TransactionView key={name} id={name} />
  if (view === 'compare' && !name) return <CompareView />
  return <NotFound />
}

export default function ExplorePage() {
  return (
    <Suspense fallback={<Loading rows={8} />}>
      <View />
    </Suspense>
  )
}

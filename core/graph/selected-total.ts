/** Totals that are counted while their page is read, instead of after it. */
import { type GraphQLResolveInfo, Kind } from 'graphql'

/** Whether the total is selected of a connection, whatever the variables are; one in a fragment is counted when it is come to. */
export const selectsTotal = ({ fieldNodes }: Pick<GraphQLResolveInfo, 'fieldNodes'>): boolean =>
  fieldNodes.some(({ selectionSet }) =>
    selectionSet?.selections.some(
      node => node.kind === Kind.FIELD && node.name.value === 'totalCount' && !node.directives?.length,
    ),
  )

/**
 * The page with its total.
 * @param count counts once, however often it is called.
 * @param early whether it is called at once.
 */
export async function withTotal<Page extends object>(
  page: Promise<Page>,
  count: () => Promise<number>,
  early: boolean,
): Promise<Page & { totalCount(): Promise<number> }> {
  // Why it failed is said to who asks for the total; where there is no page nobody does.
  if (early) count().catch(() => undefined)
  return { ...(await page), totalCount: count }
}

/** A hint for whoever starts a server that nobody can use yet. */
import type { Config } from '../config/config.ts'
import type { PrismaClient } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'

/** What adds a first client. */
export const ADD_FIRST_CLIENT = 'npm run cli -- clients add --id my-partner --role partner'

/** Says how to add the first client, where there is none and tokens are issued here. */
export async function hintAtFirstClient(
  prisma: PrismaClient,
  { auth }: Pick<Config, 'auth'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (auth.jwksUrl || (await prisma.client.findFirst({ select: { id: true } }))) return
  log.warn(`there is no client yet, so nobody gets a token; add one with: ${ADD_FIRST_CLIENT}`)
}

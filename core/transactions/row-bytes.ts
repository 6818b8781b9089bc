/** How many bytes a transaction takes, as its table says it. */
import { Prisma } from '../data/db.ts'

/** What a row takes beside the columns that are counted. */
const FIXED_BYTES = 512

/**
 * A row's bytes, to be selected as `bytes`. A body in place and uncompressed is as long as it is stored, which costs
 * nothing to ask; a compressed or a moved one has to be written out. Lengths of text columns are known without reading.
 */
export const BYTES = Prisma.raw(`
  CASE WHEN pg_column_compression(t.body) IS NULL AND pg_column_size(t.body) < 2000 THEN pg_column_size(t.body)
    ELSE octet_length(t.body::text) END
  + coalesce(octet_length(t.reference_code), 0) + coalesce(octet_length(t.webhook_url), 0)
  + coalesce(octet_length(t.webhook_token), 0) + coalesce(octet_length(t.reason), 0) + ${FIXED_BYTES} AS bytes`)

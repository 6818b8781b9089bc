/** Identifiers: UUID version 7 (RFC 9562), so that newer ids sort after older ones. */
import { v7 } from 'uuid'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A new id; later ones of the same process sort after earlier ones, as text too. `at` says when, if not now. */
export const newId = (at?: Date): string => (at ? v7({ msecs: at.getTime() }) : v7())

/** Whether the text is a UUID of any version, in either case: what the database can be asked for. */
export const isId = (text: string): boolean => UUID.test(text)

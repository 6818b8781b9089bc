/** A store of cursors in the browser's IndexedDB, where they outlast reloads. */
import type { CursorStore } from './follow/acks.ts'

const CURSORS = 'cursors'

const resultOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result)
    request.onerror = () => failed(request.error)
  })

const openDatabase = async (name: string): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(CURSORS)
  return resultOf(request)
}

/** Makes the store. Tabs that follow under one name each get every event: name them apart, or follow in one of them. */
export function indexedDbCursorStore(databaseName = 'partner-graph'): CursorStore {
  let opening: Promise<IDBDatabase> | undefined
  const database = async (): Promise<IDBDatabase> => {
    opening ??= openDatabase(databaseName)
    try {
      const opened = await opening
      // The browser may take it away, or another tab may want a later version: the next call opens it again.
      opened.onclose = () => {
        opening = undefined
      }
      opened.onversionchange = () => {
        opened.close()
        opening = undefined
      }
      return opened
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  return {
    async get(name) {
      const transaction = (await database()).transaction(CURSORS)
      return resultOf<string | undefined>(transaction.objectStore(CURSORS).get(name))
    },
    async set(name, cursor) {
      const transaction = (await database()).transaction(CURSORS, 'readwrite', { durability: 'strict' })
      transaction.objectStore(CURSORS).put(cursor, name)
      await new Promise<void>((done, failed) => {
        transaction.oncomplete = () => done()
        transaction.onabort = () => failed(transaction.error)
        transaction.onerror = () => failed(transaction.error)
      })
    },
  }
}

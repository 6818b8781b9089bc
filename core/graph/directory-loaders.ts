/**
 * Look-ups of the directory, which an operation changes nothing of: all fetches of one that are executed in this process
 * share them, so that what one subgraph found the next does not look for again.
 */
import DataLoader from 'dataloader'
import type { AccountRecord, Directory, FoundLine, LineRecord } from '../directory/directory.ts'

/** In the keys' order, null where there is none. */
const inSequence = <T>(keys: readonly string[], found: Map<string, T>) =>
  keys.map(key => found.get(key) ?? null)

const createLoaders = (directory: Directory) => ({
  account: new DataLoader<string, AccountRecord | null>(async numbers =>
    inSequence(numbers, await directory.accountsByNumber(numbers)),
  ),
  line: new DataLoader<string, FoundLine | null>(async numbers =>
    inSequence(numbers, await directory.linesByNumber(numbers)),
  ),
  linesOfAccount: new DataLoader<string, LineRecord[]>(async numbers => {
    const found = await directory.linesOfAccounts(numbers)
    return numbers.map(number => found.get(number) ?? [])
  }),
})

export type DirectoryLoaders = ReturnType<typeof createLoaders>

/** What the subgraphs of one operation have in common; each event of a subscription is an operation of its own. */
export interface SharedByOperation {
  directory?: DirectoryLoaders
}

/** Those of the operation, made by whoever asks first. */
export const directoryLoaders = (directory: Directory, shared: SharedByOperation): DirectoryLoaders => {
  shared.directory ??= createLoaders(directory)
  return shared.directory
}

/** Leftovers of a run that are undone however it ends: processes, disks, folders. */

const undo = new Set<() => void>()

process.once('exit', () => {
  for (const act of [...undo].toReversed()) {
    try {
      act()
    } catch {
      // It is gone already.
    }
  }
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code))

/**
 * Has something undone when the process ends before the run has done it.
 * @returns what is to be called once the run has.
 */
export function undoAtExit(act: () => void): () => void {
  undo.add(act)
  return () => undo.delete(act)
}

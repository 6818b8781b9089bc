/** The heap as it is after everything unused was given back; needs `--expose-gc`. */

const MIB = 1024 * 1024

/** Size of the heap, in MiB. */
export const heapMiB = (): number => {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc')
  globalThis.gc()
  return process.memoryUsage().heapUsed / MIB
}

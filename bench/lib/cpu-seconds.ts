/** Processor time of a process so far, all its threads together. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

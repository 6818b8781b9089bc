/** The options for what a client may use of a process, and the command that changes it. */
import type { Command } from 'commander'
import { QUOTA_NAMES, type Quotas, type QuotaTexts } from '#core/access/quotas.ts'

const OPTIONS: Record<keyof Quotas, readonly [flag: string, description: string]> = {
  requestsInFlight: ['--requests-in-flight <n>', 'most requests at the same time, of one process'],
  requestsPerSecond: ['--requests-per-second <n>', 'most requests a second, of one process'],
  costPerMinute: ['--cost-per-minute <n>', 'most fields of graph operations a minute, of one process'],
  openStreams: ['--open-streams <n>', 'most open connections, to one process'],
  webhooksInFlight: ['--webhooks-in-flight <n>', 'most webhooks sent at the same time, by one process'],
}

/** Adds an option for each quota. */
export const addQuotaOptions = (command: Command): Command => {
  for (const option of Object.values(OPTIONS)) command.option(...(option as [string, string]))
  return command
}

/** Those of a command's options that are quotas. */
export const quotasIn = (options: QuotaTexts): QuotaTexts =>
  Object.fromEntries(
    QUOTA_NAMES.filter(name => options[name] !== undefined).map(name => [name, options[name]]),
  )

/** Quotas as one line, by the names of their options. */
export const quotasText = (quotas: Partial<Quotas>): string =>
  QUOTA_NAMES.filter(name => quotas[name] !== undefined)
    .map(name => `${OPTIONS[name][0].slice(2, -4)} ${quotas[name]}`)
    .join(', ')

/**
 * `npm run check:audit`: asks the registry for advisories about what an installation for production holds, by `npm audit`.
 * Ends with 1 where one is high or critical; a registry that gives none is told of, and is no fault.
 */
import { execFile } from 'node:child_process'

/** The parts of npm's report that are read. */
interface Report {
  readonly error?: unknown
  readonly message?: string
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
}

const GRAVE = new Set(['high', 'critical'])
const LIMIT_MS = 120_000

/** Judges a report of `npm audit --json`: a line for each package, and whether that is a fault. */
export function judgeReport(text: string): { readonly lines: readonly string[]; readonly isFault: boolean } {
  let report: Report = {}
  try {
    report = JSON.parse(text)
  } catch {
    // Not npm's report: the same as none.
  }
  if (!report.vulnerabilities) {
    return { lines: ['The registry gives no advisories, so nothing was compared.'], isFault: false }
  }
  const found = Object.entries(report.vulnerabilities)
  if (found.length === 0)
    return { lines: ['No advisory is about a package of the installation.'], isFault: false }
  return {
    lines: found.map(([name, { severity, range }]) => `${severity}: ${name} ${range}`),
    isFault: found.some(([, { severity }]) => GRAVE.has(severity)),
  }
}

if (import.meta.main)
  execFile('npm', ['audit', '--omit=dev', '--json'], { timeout: LIMIT_MS }, (_, output) => {
    const { lines, isFault } = judgeReport(output)
    for (const line of lines) console.log(line)
    process.exitCode = isFault ? 1 : 0
  })

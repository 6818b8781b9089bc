/** docs/settings.md: a table for each section of the declared settings. */
import type { Setting } from '#core/config/setting.ts'
import { SETTINGS_BY_SECTION } from '#core/config/settings.ts'

const HEAD = `# Settings

All are optional environment variables. A wrong one stops the start, and all wrong ones are reported at once. This page is
written from the declaration in \`core/config/settings.ts\` (\`npm run docs:pages\`).

A secret may stand in a file instead, as containers and systemd hand them out: \`SECRETS_KEY_FILE=/run/secrets/key\` in place of
\`SECRETS_KEY\`, and so on for each. White space around it is left out, and no message ever shows it.

\`GET /health/live\`, \`GET /health/ready\` and \`GET /metrics\` (Prometheus) are for operators. \`SIGTERM\` finishes what is in
flight, within \`REQUEST_TIMEOUT_MS\` and a few seconds; exit code 1 says that something did not end, and the log names it.
`

const defaultOf = (setting: Setting): string => {
  if (setting.otherwise) return setting.otherwise
  if (setting.kind === 'flag') return setting.default ? '1' : '0'
  return setting.default === undefined ? 'unset' : `\`${setting.default}\``
}

const allowedBy = (setting: Setting): string => {
  if (setting.kind === 'flag') return '`0`, `1`'
  if (setting.kind === 'integer') return `${setting.min} to ${setting.max}`
  if (setting.isSecret) return 'secret'
  return setting.oneOf?.map(value => `\`${value}\``).join(', ') ?? 'text'
}

const rowOf = ([name, setting]: [string, Setting]) =>
  `| \`${name}\` | ${defaultOf(setting)} | ${allowedBy(setting)} | ${setting.meaning} |`

/** The text of docs/settings.md. */
export const settingsPage = (): string =>
  [
    HEAD,
    ...Object.entries(SETTINGS_BY_SECTION).map(([title, settings]) =>
      [
        `## ${title}\n`,
        '| name | default | allowed | meaning |',
        '|---|---|---|---|',
        ...Object.entries(settings).map(rowOf),
        '',
      ].join('\n'),
    ),
  ].join('\n')

/** Alerts: each has its paragraph for those on duty, its severity and its unit test; no paragraph is left without one. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { alerts } from '#test/support/ops.ts'
import { readText } from '#test/support/sources.ts'

const PARTS = ['Symptom', 'Cause', 'What to do', 'Safe to do']

/** Paragraphs of docs/operating.md by alert. */
const paragraphs = (): Map<string, string> => {
  const [, section = ''] = /\n## Dashboards and alerts\n(.*?)\n## /s.exec(readText('docs/operating.md')) ?? []
  return new Map(
    section
      .split('\n### ')
      .slice(1)
      .map(text => [
        text.slice(0, text.indexOf('\n')),
        text.slice(text.indexOf('\n')).trim().replace(/\s+/g, ' '),
      ]),
  )
}

const known = paragraphs()

describe('alerts', () => {
  it('ALERT-01 MUST each have a paragraph, and no paragraph be without its alert', () => {
    expect([...known.keys()].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
  })

  it.each(alerts.map(rule => [rule.alert, rule] as const))(
    'ALERT-02 MUST say of %s its severity, symptom, cause, what to do and what is safe to do',
    (alert, { labels, annotations }) => {
      const text = known.get(alert) ?? ''
      expect(text.startsWith(`\`${labels?.['severity']}\`. **Symptom:**`)).toBe(true)
      const parts = [...text.matchAll(/\*\*([\w ]+):\*\*\s+(\S)/g)].map(([, part]) => part)
      expect(parts).toEqual(PARTS)
      expect(['page', 'ticket']).toContain(labels?.['severity'])
      expect(labels?.['service']).toBe('partner-graph')
      expect(annotations?.['runbook']).toBe(`docs/operating.md#${alert.toLowerCase()}`)
      expect(annotations?.['summary']).toMatch(/\S/)
    },
  )

  it('ALERT-03 MUST each be tried by a unit test of Prometheus: fired, and quiet', () => {
    const { tests } = parse(readText('ops/prometheus/rules.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[]
    }
    const tried = tests.flatMap(one =>
      one.alert_rule_test.map(({ alertname, exp_alerts }) => `${alertname} ${exp_alerts.length > 0}`),
    )
    const expected = alerts.flatMap(({ alert }) => [`${alert} true`, `${alert} false`])
    expect(tried.toSorted()).toEqual(expected.toSorted())
  })
})

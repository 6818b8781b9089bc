/** A newcomer who follows a request through the program reads a bounded number of files and lines. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { projectPath } from '#core/config/project-files.ts'

test('a payment, customer-360 and a subscription each run through no more files and lines than their limits', {
  timeout: 120_000,
}, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', projectPath('test/ways/measure.ts'), '--check'],
    { encoding: 'utf8', timeout: 110_000 },
  )
  expect(stdout.match(/\d+ files, \d+ lines/g)).toHaveLength(3)
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

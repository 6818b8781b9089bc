/** A progress bar on a terminal; nothing anywhere else. */
import cliProgress, { type GenericFormatter } from 'cli-progress'
import type { Progress } from '#core/directory/import.ts'

export interface ProgressBar extends Disposable {
  show(progress: Progress): void
}

const QUIET: ProgressBar = { show: () => undefined, [Symbol.dispose]: () => undefined }

/** How many rows there are is known once all are checked; until then a bar would show nothing true. */
const format: GenericFormatter = (options, { progress, value, total }, { step }) =>
  step === 'writing'
    ? `writing [${cliProgress.Format.BarFormat(progress, options)}] ${value}/${total} rows`
    : `checking ${value} rows`

/** A bar on standard error if that is a terminal, so that it never mixes with the result. */
export function progressBar(stream: NodeJS.WriteStream = process.stderr): ProgressBar {
  if (!stream.isTTY) return QUIET
  const bar = new cliProgress.SingleBar({ format, stream, clearOnComplete: true })
  bar.start(1, 0, { step: 'checking' })
  return {
    show: ({ step, done, total }) => {
      bar.setTotal(total ?? done)
      bar.update(done, { step })
    },
    [Symbol.dispose]: () => bar.stop(),
  }
}

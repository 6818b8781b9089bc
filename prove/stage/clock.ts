/** Clocks of processes, moved while they run by libfaketime (`apt-get install faketime`), where it is there. */
import { existsSync, renameSync, writeFileSync } from 'node:fs'

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
]

const library = LIBRARIES.find(file => existsSync(file))

export const CAN_MOVE_CLOCKS = library !== undefined

/** Writes in one step, so that no process reads half an offset. */
export function moveClock(file: string, seconds: number): void {
  writeFileSync(`${file}.new`, `${seconds >= 0 ? '+' : ''}${seconds}\n`)
  renameSync(`${file}.new`, file)
}

const HOLD_STILL = { FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' }

/** Settings under which a process is so many seconds ahead from its start on; none where no clock can be moved. */
export const aheadSettings = (seconds: number): Record<string, string> =>
  library ? { LD_PRELOAD: library, FAKETIME: `+${seconds}`, ...HOLD_STILL } : {}

/** Settings under which a process reads its offset from a file each second; timers go on by the clock that never jumps. */
export function clockSettings(file: string): Record<string, string> {
  if (!library) return {}
  moveClock(file, 0)
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    ...HOLD_STILL,
  }
}

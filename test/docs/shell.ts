/** A shell into which the blocks of a page are pasted one after the other, so that variables live on. */
import { spawn } from 'node:child_process'

export interface Shell extends Disposable {
  /** Runs a block and resolves with what it printed. */
  paste(block: string): Promise<string>
}

const MARK = '--- the block has ended ---'

/** Opens bash with only what the caller's PATH has. */
export function openShell(): Shell {
  const bash = spawn('bash', { stdio: ['pipe', 'pipe', 'inherit'] })
  bash.stdout.setEncoding('utf8')
  const output = bash.stdout[Symbol.asyncIterator]() as AsyncIterator<string, undefined>
  return {
    async paste(block) {
      bash.stdin.write(`${block}\nprintf '%s' '${MARK}'\n`)
      let printed = ''
      while (!printed.endsWith(MARK)) {
        const { value, done } = await output.next()
        if (done) throw new Error(`bash ended: ${printed}`)
        printed += value
      }
      return printed.slice(0, -MARK.length)
    },
    [Symbol.dispose]: () => void bash.kill(),
  }
}

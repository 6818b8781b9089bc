/** What child processes say, line by line, so that one can tell who said it. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { prettyFactory } from 'pino-pretty'

/** Writes one line of a process. */
export type WriteLine = (process: string, line: string) => void

const NAME_WIDTH = 16

const isJson = (line: string) => line.startsWith('{"')

const pretty = prettyFactory({ colorize: true, ignore: 'pid,hostname' })

/** For people: the log readable, the process's name before each line. */
const writeForPeople: WriteLine = (name, line) =>
  console.log(`${name.padEnd(NAME_WIDTH)} | ${isJson(line) ? String(pretty(line)).trimEnd() : line}`)

/** For programs: JSON lines stay JSON lines, with a `process` field. */
const writeForPrograms: WriteLine = (name, line) =>
  console.log(isJson(line) ? `{"process":${JSON.stringify(name)},${line.slice(1)}` : `${name} | ${line}`)

export const writeLine: WriteLine = process.stdout.isTTY ? writeForPeople : writeForPrograms

/** Calls `take` with each line of a stream until it ends. */
export const eachLine = (stream: Readable, take: (line: string) => void): void => {
  createInterface({ input: stream }).on('line', take)
}

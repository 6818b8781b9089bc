/** The output of child processes, line by line, each with the name of its process. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { prettyFactory } from 'pino-pretty'

/** Writes one line of a process. */
export type WriteLine = (process: string, line: string) => void

const NAME_WIDTH = 16

const isJson = (line: string) => line.startsWith('{"') && line.endsWith('}')

/** The name of the process that keeps the others. */
export const OWN_NAME = 'start-all'

/** The log's number for its level `info`. */
const INFO = 30

const pretty = prettyFactory({ colorize: true, ignore: 'pid,hostname' })

/** Writes readable text, with the process's name before each line. */
const writeForPeople: WriteLine = (name, line) =>
  console.log(`${name.padEnd(NAME_WIDTH)} | ${isJson(line) ? String(pretty(line)).trimEnd() : line}`)

/** Line of the log as it is; other output of a process becomes the message of one. */
export const toLogLine = (name: string, line: string): string =>
  isJson(line)
    ? `{"process":${JSON.stringify(name)},${line.slice(1)}`
    : JSON.stringify({ process: name, level: INFO, time: Date.now(), msg: line })

/** Writes one stream of JSON lines, each whole, with a `process` field. */
const writeForPrograms: WriteLine = (name, line) => console.log(toLogLine(name, line))

export const writeLine: WriteLine = process.stdout.isTTY ? writeForPeople : writeForPrograms

/** Calls `take` with each line of a stream until it ends. */
export const eachLine = (stream: Readable, take: (line: string) => void): void => {
  createInterface({ input: stream }).on('line', take)
}

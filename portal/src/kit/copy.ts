/** The clipboard, and files that are made in the page. */
import { useCallback, useEffect, useState } from 'react'

/** Copies texts; `isCopied` is true for a moment after. */
export function useCopy(): { isCopied: boolean; copy(text: string): Promise<void> } {
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (copiedAt === 0) return
    const over = setTimeout(() => setCopiedAt(0), 1_600)
    return () => clearTimeout(over)
  }, [copiedAt])
  const copy = useCallback(async (text: string) => {
    await navigator.clipboard.writeText(text)
    setCopiedAt(Date.now())
  }, [])
  return { isCopied: copiedAt > 0, copy }
}

/** Saves a file that was made in the page. */
export function saveFile(name: string, parts: readonly BlobPart[], type: string): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

export type Cell = string | number | boolean | null | undefined

/** A spreadsheet would run a text that begins like a formula. */
const defused = (text: string) =>
  /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.]+$/.test(text) ? `'${text}` : text

const toField = (value: Cell): string => {
  const text = typeof value === 'string' ? defused(value) : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV (RFC 4180). */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map(row => `${row.map(toField).join(',')}\r\n`).join('')

/** Saves rows as CSV, marked as UTF-8 for spreadsheets. */
export const saveCsv = (name: string, rows: readonly (readonly Cell[])[]): void =>
  saveFile(`${name}.csv`, ['\uFEFF', toCsv(rows)], 'text/csv;charset=utf-8')

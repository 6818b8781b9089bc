/** Data of the server that came with the shell. */
import { CONFIG_ELEMENT, type PageConfig } from '#gateway/pages/page-config.ts'

const read = (): PageConfig => {
  const text = document.getElementById(CONFIG_ELEMENT)?.textContent
  if (!text) throw new Error('The page has no configuration: it must be served by partner-graph')
  return JSON.parse(text)
}

export const pageConfig = read()

/** Sizes of the scripts that a page loads. */
import type { Page } from 'playwright-core'

/** The most compressed bytes of script that a page's first view may load (docs/pages.md, "What they are made of"). */
export const MOST_SCRIPT = 150_000

/** Sizes of scripts as they come over the network. */
export class Scripts {
  #sizes: Promise<number>[] = []

  /** Counts what a page loads from now on. */
  watch(page: Page): void {
    page.on('response', response => {
      if (!response.url().endsWith('.js')) return
      const size = response.request().sizes()
      this.#sizes.push(size.then(({ responseBodySize }) => responseBodySize))
    })
  }

  /** Compressed bytes of each script that was loaded. */
  loaded(): Promise<number[]> {
    return Promise.all(this.#sizes)
  }

  /** Compressed bytes of all of them. */
  async sum(): Promise<number> {
    return (await this.loaded()).reduce((sum, size) => sum + size, 0)
  }
}

/** Build of the pages. Everything that a page loads comes from this server, under `/pages/app/`. */
import { join } from 'node:path'
import type { InlineConfig } from 'vite'
import { GUIDE_FILE } from '#gateway/pages/page-config.ts'
import { guides } from './guides.ts'

/** Settings for Vite's build; no file of a configuration is read beside. */
export const viteConfig: InlineConfig = {
  configFile: false,
  root: import.meta.dirname,
  base: '/pages/app/',
  logLevel: 'warn',
  publicDir: false,
  plugins: [guides()],
  build: {
    target: 'es2023',
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    // Each is a file of its own: a policy without `data:` scripts and fonts stays possible.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The editor of operations is the largest part, and loaded by its page alone.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // Libraries mark modules for server components ("use client"), which there are none of here.
      onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log),
      output: {
        // By its name the server knows what tells of the schema.
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some(id => id.startsWith('\0virtual:guide'))
            ? `assets/${GUIDE_FILE}[hash].js`
            : 'assets/[name]-[hash].js',
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-)?(router|history|store)[^/]*|urql|@urql|wonka|graphql-ws|@0no-co)\//,
            },
          ],
        },
      },
    },
  },
}

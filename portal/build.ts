/**
 * `npm run build:pages`: builds the pages into `portal/dist`, each text in its encoded forms as well, since it is
 * compressed once and sent often. With `--watch` it builds again at each change.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { build } from 'vite'
import { viteConfig } from './vite.config.ts'

const ASSETS = join(import.meta.dirname, 'dist', 'assets')
const TEXT = /\.(js|css|svg|json)$/

/** Compresses at the best quality of each encoding. */
const compressFile = async (file: string): Promise<void> => {
  const text = await readFile(file)
  const [br, gz] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text, { level: 9 })])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}

if (process.argv.includes('--watch')) {
  // Compressed by the server as they are requested: a change is seen at once.
  await build({ ...viteConfig, logLevel: 'info', build: { ...viteConfig.build, watch: {} } })
} else {
  await build(viteConfig)
  const names = (await readdir(ASSETS)).filter(name => TEXT.test(name))
  await Promise.all(names.map(name => compressFile(join(ASSETS, name))))
}

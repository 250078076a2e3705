// Bundles the page: node build.mjs FOLDER makes index.html, app.js and app.css in the folder.
// NODE_PATH says where the packages are if they are not in node_modules next to this file.
import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { build } = createRequire(import.meta.url)('esbuild') // an import ignores NODE_PATH
const here = dirname(fileURLToPath(import.meta.url))
const out = process.argv[2]
if (!out) {
  console.error('build.mjs: which folder?')
  process.exit(64)
}

await mkdir(out, { recursive: true })
await copyFile(join(here, 'index.html'), join(out, 'index.html'))
await build({
  absWorkingDir: here,
  nodePaths: (process.env.NODE_PATH ?? '').split(delimiter).filter(Boolean),
  entryPoints: { app: 'src/main.js' },
  outdir: out,
  bundle: true,
  format: 'esm',
  target: ['es2022'],
  minify: true,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
})

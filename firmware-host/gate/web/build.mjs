// Bundles the page: node build.mjs FOLDER makes index.html and app.js, app.css, more.js, more.css in the
// folder. app has what the first figures need; more has the other screens, and takes all that it
// shares with app.js from there. NODE_PATH says where the packages are if they are not in node_modules next
// to this file.
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const { build } = createRequire(import.meta.url)('esbuild') // an import ignores NODE_PATH
const here = dirname(fileURLToPath(import.meta.url))
const out = process.argv[2]
if (!out) {
  console.error('build.mjs: which folder?')
  process.exit(64)
}

// Indentation inside of templates would be shipped otherwise.
const unindent = {
  name: 'unindent',
  setup(at) {
    at.onLoad({ filter: /web\/src\/.*\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/\n +/g, '\n'),
      loader: 'js',
    }))
  },
}

const options = {
  absWorkingDir: here,
  nodePaths: (process.env.NODE_PATH ?? '').split(delimiter).filter(Boolean),
  outdir: out,
  bundle: true,
  format: 'esm',
  target: ['es2022'],
  minify: true,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
  metafile: true,
}

await mkdir(out, { recursive: true })
await copyFile(join(here, 'index.html'), join(out, 'index.html'))
const first = await build({ ...options, entryPoints: { app: 'src/main.js' }, plugins: [unindent] })
const inApp = new Set(Object.keys(first.metafile.inputs).map((path) => resolve(here, path)))

// What is in app.js already is imported from there, so no module exists twice.
const shared = {
  name: 'shared',
  setup(at) {
    at.onResolve({ filter: /^\./ }, ({ path, resolveDir }) =>
      inApp.has(resolve(resolveDir, path)) ? { path: './app.js', external: true } : null)
  },
}
await build({ ...options, entryPoints: { more: 'src/more.js' }, plugins: [unindent, shared] })

// A name that kit.js does not pass on would only be missed in the browser.
const exported = new Set(Object.values(first.metafile.outputs).flatMap((file) => file.exports))
const text = await readFile(join(out, 'more.js'), 'utf8')
const missing = [...text.matchAll(/import\{([^}]*)\}from"\.\/app\.js"/g)]
  .flatMap(([, names]) => names.split(',').map((name) => name.split(' as ')[0]))
  .filter((name) => !exported.has(name))
if (missing.length > 0) {
  console.error(`build.mjs: ${relative(process.cwd(), join(here, 'src/kit.js'))} does not export ${missing.join(', ')}`)
  process.exit(1)
}

// Bundles the page: node build.mjs FOLDER makes index.html and app.js, app.css, more.js, more.css in the
// folder. app has what the first figures need; more has the other screens, and takes all that it
// shares with app.js from there. NODE_PATH says where the packages are if they are not in node_modules next
// to this file.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
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
      contents: (await readFile(path, 'utf8')).replace(/\n +(?=<)/g, '').replace(/\n +/g, '\n'),
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

// What is in app.js already is imported from there, by one statement, so no module exists twice. A name
// that kit.js does not pass on is an error of the build.
const passedOn = Object.values(first.metafile.outputs).flatMap((file) => file.exports)
const shared = {
  name: 'shared',
  setup(at) {
    at.onResolve({ filter: /^\./ }, ({ path, resolveDir, namespace }) =>
      namespace === 'shared' ? { path, external: true }
        : inApp.has(resolve(resolveDir, path)) ? { path: 'app', namespace: 'shared' } : null)
    at.onLoad({ filter: /.*/, namespace: 'shared' }, () => ({ contents: `export { ${passedOn.join(', ')} } from './app.js'` }))
  },
}
await build({ ...options, entryPoints: { more: 'src/more.js' }, plugins: [unindent, shared] })

// esbuild keeps names that nothing uses.
const file = join(out, 'more.js')
const text = await readFile(file, 'utf8')
const uses = (name) => text.match(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g')).length
await writeFile(file, text.replace(/^import\{([^}]*)\}/, (_, names) =>
  `import{${names.split(',').filter((name) => uses(name.split(' as ').at(-1)) > 1).join(',')}}`))

// Bundles the page: node build.mjs FOLDER makes index.html and app.js, app.css, more.js, more.css in the
// folder. app has what the first figures need; more has the other screens, and takes all that it
// shares with app.js from there. NODE_PATH says where the packages are if they are not in node_modules next
// to this file.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileTemplates } from './templates.mjs'
import { inlineWords } from './words.mjs'

const require = createRequire(import.meta.url) // an import ignores NODE_PATH
const { build } = require('esbuild')
const htm = require('htm')
const here = dirname(fileURLToPath(import.meta.url))
const out = process.argv[2]
if (!out) {
  console.error('build.mjs: which folder?')
  process.exit(64)
}

const templates = {
  name: 'templates',
  setup(at) {
    at.onLoad({ filter: /web\/src\/.*\.js$/ }, async ({ path }) => ({
      contents: await inlineWords(path, compileTemplates(await readFile(path, 'utf8'), htm)),
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
const first = await build({ ...options, entryPoints: { app: 'src/main.js' }, plugins: [templates] })
const inApp = new Set(Object.keys(first.metafile.inputs).map((path) => resolve(here, path)))

const exported = Object.values(first.metafile.outputs).flatMap((file) => file.exports)

// What is in app.js already is imported from there, so no module exists twice: by one statement, since
// each file's own would be a fifth of more.js. The bundler misses a name that kit.js does not pass on.
const shared = {
  name: 'shared',
  setup(at) {
    at.onResolve({ filter: /^\./ }, ({ path, resolveDir }) =>
      inApp.has(resolve(resolveDir, path)) ? { path: 'app', namespace: 'shared', sideEffects: false } : null)
    at.onResolve({ filter: /^\.\/app\.js$/, namespace: 'shared' }, ({ path }) => ({ path, external: true }))
    at.onLoad({ filter: /.*/, namespace: 'shared' }, () => ({ contents: `export { ${exported.join(', ')} } from './app.js'`, loader: 'js' }))
  },
}
await build({ ...options, entryPoints: { more: 'src/more.js' }, plugins: [templates, shared] })

// Between the two files the names are gone: app.js gives one list, from which more.js takes what it uses.
const clause = /(?:import|export)\{([^}]*)\}(?=;?\s*$|from"\.\/app\.js")/
const text = { app: await readFile(join(out, 'app.js'), 'utf8'), more: await readFile(join(out, 'more.js'), 'utf8') }
const pairs = (file) => clause.exec(text[file])[1].split(',').map((pair) => pair.split(' as '))
const isUsed = (local) => text.more.split(new RegExp(`(?<![\\w$])${local.replaceAll('$', '\\$')}(?![\\w$])`)).length > 2
const taken = pairs('more').map(([name, local = name]) => [name, local]).filter(([, local]) => isUsed(local))
const localOf = new Map(pairs('app').map(([local, name = local]) => [name, local]))
await writeFile(join(out, 'app.js'), text.app.replace(clause, `export const $0=[${taken.map(([name]) => localOf.get(name))}]`))
const tail = 'from"./app.js";'
const imported = new RegExp(`${clause.source}${tail.replace('.', '\\.')}`)
await writeFile(join(out, 'more.js'), text.more.replace(imported, `import{$0}${tail}const[${taken.map(([, local]) => local)}]=$0;`))

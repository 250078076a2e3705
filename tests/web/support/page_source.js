// The page's sources in node: bundled as they are built, with as much of a browser as they touch when they are read.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
export const web = path.resolve(here, '../../../firmware-host/gate/web');
const modules = process.env.SMSRACK_PAGE_MODULES ?? path.resolve(here, '../../../build/release/web/node_modules');
const require_page = createRequire(path.join(modules, 'x.js'));
export const htm = require_page('htm');
export const { compileTemplates: compile_templates } = await import(pathToFileURL(path.join(web, 'templates.mjs')));
export const { inlineWords: inline_words } = await import(pathToFileURL(path.join(web, 'words.mjs')));

function pretend_browser() {
  delete globalThis.BroadcastChannel; // an open channel would keep the test alive
  const target = new EventTarget();
  const node = { dataset: { more: 'more.js', style: 'more.css' }, classList: { toggle() {} } };
  Object.assign(globalThis, {
    document: { hidden: false, baseURI: 'http://rack/', documentElement: node, getElementById: () => node, querySelector: () => null, addEventListener() {} },
    location: { pathname: '/', search: '', hash: '', href: 'http://rack/' },
    history: { state: null, replaceState() {}, pushState() {} },
    localStorage: { getItem: () => null, setItem() {} },
    addEventListener: target.addEventListener.bind(target),
    setInterval: () => 0, // the page's clock would keep the test alive
  });
}

/** What `entry` exports, an ES module that may import from the sources as './file.js'. */
export async function bundled(entry) {
  const { build } = require_page('esbuild');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smsrack-page-'));
  try {
    await build({
      stdin: { contents: entry, resolveDir: path.join(web, 'src') },
      nodePaths: [modules],
      bundle: true,
      format: 'esm',
      outfile: path.join(folder, 'page.mjs'),
      logLevel: 'warning',
      plugins: [{
        name: 'templates',
        setup(at) {
          at.onLoad({ filter: /web\/src\/.*\.js$/ }, ({ path: file }) => ({ contents: compile_templates(fs.readFileSync(file, 'utf8'), htm), loader: 'js' }));
        },
      }],
    });
    pretend_browser();
    return await import(pathToFileURL(path.join(folder, 'page.mjs')));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

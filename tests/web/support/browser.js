// Chromium, driven by playwright-core, and what every page of a test must keep to.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const modules = process.env.SMSRACK_WEB_MODULES ?? path.join(root, 'build/release/tests/web/node_modules');
export const browser_path = process.env.SMSRACK_BROWSER ?? '/usr/bin/chromium';
const require = createRequire(path.join(modules, 'x.js'));
const { chromium } = require('playwright-core');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** One browser; a profile of its own, nothing but the page on the network. */
export const open_browser = () => chromium.launch({
  executablePath: browser_path,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', '--disable-default-apps', '--disable-domain-reliability', '--no-pings'],
});

const watched = `
  globalThis.smsrack_reports = [];
  document.addEventListener('securitypolicyviolation', (event) => smsrack_reports.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
`;

/** A login as the browser has it: a context with the cookie of this role. `options`: colorScheme, viewport ... */
export async function login(browser, rack, role = 'admin', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(15_000);
  context.troubles = [];
  await context.addInitScript(watched);
  context.on('page', (page) => {
    page.on('pageerror', (error) => context.troubles.push(`error in the page: ${error.message}`));
    page.on('console', (message) => {
      // An answer that is not 2xx is no fault of the page.
      if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text())) context.troubles.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== rack.address) context.troubles.push(`request to ${url.origin}`);
    });
  });
  if (role) {
    const answer = await context.request.post(`${rack.address}/v1/session`, { data: { token: rack.tokens[role] } });
    assert.equal(answer.ok(), true, `login as ${role}: ${answer.status()} ${(await answer.text()).slice(0, 200)}`);
  }
  return context;
}

/** A page at this path of the dashboard, once it shows a heading. */
export async function open(context, rack, where = '/') {
  const page = await context.newPage();
  await page.goto(rack.address + where);
  await page.locator('main h1').first().waitFor();
  return page;
}

/** No report of the content security policy, no error, no request elsewhere. */
export async function check_clean(page, what) {
  const reports = await page.evaluate(() => globalThis.smsrack_reports);
  assert.deepEqual(reports, [], `${what}: reports of the content security policy`);
  assert.deepEqual(page.context().troubles, [], what);
}

/** What axe says about the page by WCAG 2.2 AA; the policy forbids inline scripts, so it is run from outside the page. */
export async function axe_violations(page) {
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const result = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] });
    return result.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => `${node.target.join(' ')} (${node.any.concat(node.all, node.none)[0]?.message ?? ''})`).join('; ')}`);
  });
  return found;
}

/** All texts that a screen reader finds in the page, in order. */
export async function accessible_text(page) {
  return page.locator('body').ariaSnapshot();
}

/** Nothing is wider than the window. */
export async function check_width(page, what) {
  const over = await page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return null;
    const wide = [...document.querySelectorAll('main *')].find((one) => one.getBoundingClientRect().right > root.clientWidth + 1);
    return `${root.scrollWidth} px instead of ${root.clientWidth}: ${wide?.outerHTML.slice(0, 160)}`;
  });
  assert.equal(over, null, `${what} scrolls sideways`);
}

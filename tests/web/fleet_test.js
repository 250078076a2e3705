// The fleet on the screen Box: what a box sees of it, and nothing where there is none.
import assert from 'node:assert/strict';
import { axe_violations, check_clean, check_width, login, open } from './support/browser.js';
import { shared_rack, test, the_browser } from './support/suite.js';
import { wait } from './support/wait.js';

const json = (body) => ({ status: 200, contentType: 'application/json', body: JSON.stringify(body) });
const box = (more) => ({ name: 'b1', site: 'paris', state: 'running', self: false, version: '1.0', modems: 8, messages_per_s: 1.25, held: 2, firm: 40, silent_s: 0, ...more });
const fleet = (more) => ({ joined: true, name: 'b1', number: 1, site: 'paris', seat: 'seated', epoch: 7, trouble: null, away_s: null, may_begin: true, kept: 'cluster', kept_here: 0, waiting: 1234, boxes: 3, ...more });
const boxes = [box({ self: true }), box({ name: 'b2', site: null, state: 'silent', silent_s: 20 }), box({ name: 'b3', state: 'draining', firm: 0 })];

async function with_page(answer, use, viewport) {
  const rack = await shared_rack('fleet', { modems: 1 });
  const context = await login(await the_browser(), rack, 'admin', viewport && { viewport });
  try {
    if (answer) {
      await context.route(/\/v1\/cluster$/, (route) => route.fulfill(json(answer)));
      await context.route(/\/v1\/cluster\/boxes$/, (route) => route.fulfill(json({ boxes })));
    }
    const page = await open(context, rack, '/box');
    await use(page);
    await check_clean(page, '/box');
  } finally {
    await context.close();
  }
}

const card = (page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Fleet' }) });
const says = (what, page, words) => wait(what, async () => words.test(await card(page).innerText()), 10);

test('a box in no fleet shows none', () => with_page(null, async (page) => {
  await page.getByRole('heading', { name: 'Doctor' }).waitFor();
  assert.equal(await card(page).count(), 0);
}));

test('each box of a fleet is there, and how safe a new message is', () => with_page(fleet(), async (page) => {
  await says('the fleet', page, /two engine disks[^]*1,234[^]*b1[^]*\(this box\)[^]*Running[^]*b2[^]*Silent[^]*b3[^]*Draining/);
  assert.doesNotMatch(await card(page).innerText(), /does not answer/);
  assert.deepEqual(await axe_violations(page), []);
}));

test('an engine that is away is said, with the reason and what is on this box only', () => with_page(
  fleet({ seat: 'away', kept: 'here', kept_here: 12, away_s: 95, trouble: 'connection refused' }), async (page) => {
    await says('the loss', page, /this box only[^]*does not answer for 1 min 35 s: connection refused[^]*12/);
  },
));

test('the fleet fits a telephone', () => with_page(fleet(), async (page) => {
  await says('the fleet', page, /b3/);
  await check_width(page, '/box');
}, { width: 360, height: 740 }));

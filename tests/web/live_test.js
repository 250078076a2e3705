// An open page and a service that is upgraded, killed and away: it says so, and recovers by itself without a gap.
import assert from 'node:assert/strict';
import { check_clean, login, open } from './support/browser.js';
import { shared_rack, test, the_browser } from './support/suite.js';
import { pause, wait } from './support/wait.js';

const plan = { modems: 3, config: '[priority]\nprotect = false\n' };

async function with_page(use, where = '/messages') {
  const rack = await shared_rack('live', plan);
  const context = await login(await the_browser(), rack, 'admin');
  try {
    await use(await open(context, rack, where), rack, context);
  } finally {
    await context.close();
  }
}

const shown = async (page) => new Set(await page.locator('main tbody tr a.row-link').evaluateAll((links) => links.map((link) => link.getAttribute('href').split('/').pop())));

async function sees(page, ids, seconds = 10) {
  await wait(`messages ${ids} on the screen`, async () => {
    const there = await shown(page);
    return ids.every((id) => there.has(id));
  }, seconds);
}

let serial = 0;
const send = (rack) => rack.send(`+3360000${String(2000 + ++serial)}`, `live ${serial}`);

test('a message is on the screen within a second, without a reload', () => with_page(async (page, rack) => {
  await pause(500);
  for (let n = 0; n < 3; ++n) {
    const before = performance.now();
    const id = await send(rack);
    await sees(page, [id], 2);
    assert.ok(performance.now() - before < 1500, `${Math.round(performance.now() - before)} ms`);
  }
  await wait('the state to follow', async () => (await page.locator('main tbody tr').first().innerText()).match(/delivered/i), 10);
}));

test('an upgrade under an open page: nothing is missed', () => with_page(async (page, rack) => {
  const ids = [await send(rack)];
  await rack.upgrade();
  ids.push(await send(rack));
  await sees(page, ids);
  assert.equal(await page.evaluate(() => performance.getEntriesByType('navigation').length), 1);
  await check_clean(page, 'over an upgrade');
}));

test('kill -9: a bar says since when, the data turns grey, and both end by themselves', () => with_page(async (page, rack) => {
  const ids = [await send(rack)];
  await sees(page, ids);
  await rack.kill_service();
  await page.locator('.lost').waitFor({ timeout: 20_000 });
  assert.match(await page.locator('.lost').innerText(), /since \d\d:\d\d/);
  assert.ok(await page.locator('main').evaluate((main) => getComputedStyle(main).filter !== 'none' || getComputedStyle(main).opacity !== '1'));
  await rack.start_service();
  ids.push(await send(rack));
  await sees(page, ids, 20);
  await page.locator('.lost').waitFor({ state: 'detached', timeout: 20_000 });
}));

test('the gate is restarted: the login and the page last', () => with_page(async (page, rack) => {
  await rack.end('smsrack-gate');
  await page.locator('.lost').waitFor({ timeout: 20_000 });
  const id = await send(rack);
  await rack.start_gate();
  await page.locator('.lost').waitFor({ state: 'detached', timeout: 30_000 });
  await sees(page, [id], 20);
}));

test('tabs share one stream, and stay live when the tab that reads it closes', async () => {
  const rack = await shared_rack('live', plan);
  const context = await login(await the_browser(), rack, 'admin');
  try {
    let streams = 0;
    context.on('request', (request) => { if (request.url().includes('/v1/events')) ++streams; });
    const pages = [];
    for (let n = 0; n < 8; ++n) pages.push(await open(context, rack, '/messages'));
    await pause(1000);
    assert.equal(streams, 1, `${streams} streams`);
    const id = await send(rack);
    for (const page of pages) await sees(page, [id], 5);
    await pages.shift().close();
    const ids = [await send(rack), await send(rack)];
    for (const page of pages) await sees(page, ids, 10);
  } finally {
    await context.close();
  }
});

test('a logout in one tab leads the others to the login, and back to the same place', async () => {
  const rack = await shared_rack('live', plan);
  const context = await login(await the_browser(), rack, 'admin');
  try {
    const one = await open(context, rack, '/batches');
    const other = await open(context, rack, '/messages?state=delivered');
    await one.getByRole('button', { name: /log out/i }).click();
    await one.locator('input[type=password]').waitFor();
    await other.locator('input[type=password]').waitFor({ timeout: 20_000 });
    assert.equal(await other.locator('main tbody tr').count(), 0);
    await other.locator('input[type=password]').fill(rack.tokens.admin);
    await other.locator('input[type=password]').press('Enter');
    await other.locator('main tbody tr').first().waitFor();
    assert.match(other.url(), /\/messages\?state=delivered$/);
  } finally {
    await context.close();
  }
});

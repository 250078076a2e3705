#!/usr/bin/env node
// Measures the dashboard and prints each figure next to its promise. No test: a busy machine only makes it slower.
//
//   tests/web/figures.js [--all] [PART ...]
//
// PART: sizes, first, live, burst, tabs, cpu, growth, flood, large (all of them). --all: as long and as much as promised: growth for an hour
// (otherwise 2 minutes), flood for 10 minutes (1), large with a million messages (50,000). Together that takes an hour and a half.
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { login, open, open_browser } from './support/browser.js';
import { programs, Rack } from './support/rack.js';
import { pause, wait } from './support/wait.js';

const whole = process.argv.includes('--all');
function say(what, value, promise = '') {
  console.log(`${what.padEnd(58)} ${String(value).padEnd(26)} ${promise}`);
}
const ms = (value) => `${Math.round(value)} ms`;
const at_share = (values, share) => values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

function sizes() {
  const folder = path.join(programs, '../web/page');
  const gzipped = Object.fromEntries(fs.readdirSync(folder).map((name) => [name, gzipSync(fs.readFileSync(path.join(folder, name)), { level: 9 }).length]));
  const kib = (names) => `${(names.reduce((sum, name) => sum + gzipped[name], 0) / 1024).toFixed(1)} KiB`;
  const names = Object.keys(gzipped);
  say('all files, gzip', kib(names), '<= 60 KiB');
  say('first screen, gzip', kib(names.filter((name) => !name.startsWith('more'))), '<= 30 KiB');
}

/** Notes how long tasks above 50 ms take. */
const watch_tasks = () => {
  globalThis.long_tasks = [];
  new PerformanceObserver((list) => { for (const one of list.getEntries()) long_tasks.push(Math.round(one.duration)); }).observe({ type: 'longtask' });
};

/** Notes the time at which each message first is on the screen. */
const watch_rows = () => {
  globalThis.seen_at = {};
  const look = () => {
    for (const link of document.querySelectorAll('main tbody a.row-link')) seen_at[link.getAttribute('href').split('/').pop()] ??= Date.now();
  };
  new MutationObserver(look).observe(document.querySelector('main'), { childList: true, subtree: true });
};

const cpu_s = (pid) => {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

async function first_figures(browser, rack) {
  const times = { paint: [], figures: [], requests: [], again: [] };
  for (let n = 0; n < 5; ++n) {
    const context = await login(browser, rack, 'admin');
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => { if (!globalThis.figures_at && document.querySelector('main .figure dd, main .hero-line')) globalThis.figures_at = performance.now(); };
      new MutationObserver(look).observe(document, { childList: true, subtree: true });
    });
    await page.goto(rack.address);
    await page.waitForFunction(() => globalThis.figures_at);
    // By the browser's own times: seen from here, the figures are a moment late, and what follows them would count too.
    times.requests.push(await page.evaluate(() => 1 + performance.getEntriesByType('resource').filter(({ startTime }) => startTime <= globalThis.figures_at).length));
    times.paint.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN));
    times.figures.push(await page.evaluate(() => globalThis.figures_at));
    await page.goto(rack.address);
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]);
    times.again.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
    await context.close();
  }
  say('requests before the first figures', Math.max(...times.requests), '<= 5');
  say('first paint, cold (median of 5)', ms(at_share(times.paint, 0.5)), '<= 250 ms');
  say('first paint, same tab', ms(at_share(times.again, 0.5)), '<= 100 ms');
  say('first figures, cold', ms(at_share(times.figures, 0.5)), '<= 400 ms');
}

let serial = 0;
const next = () => `+3360${String(1_000_000 + ++serial)}`;

/** Sends `rate` messages/s for `seconds`; gives { id: when it was accepted }. */
async function load(rack, rate, seconds) {
  const accepted = {};
  const begin = Date.now();
  const open_calls = [];
  for (let n = 0; n < rate * seconds; ++n) {
    const due = begin + (n * 1000) / rate;
    if (due > Date.now()) await pause(due - Date.now());
    open_calls.push(rack.send(next(), 'measured').then((id) => { accepted[id] = Date.now(); }));
  }
  await Promise.all(open_calls);
  return accepted;
}

async function event_to_screen(browser, rack, events, seconds, promise) {
  // A message is four events: queued, sending, sent, delivered.
  const rate = events / 4;
  const context = await login(browser, rack, 'admin');
  const page = await open(context, rack, '/messages');
  await pause(1500);
  await page.evaluate(watch_tasks);
  await page.evaluate(watch_rows);
  const accepted = await load(rack, rate, seconds);
  await pause(2000);
  const { seen, tasks } = await page.evaluate(() => ({ seen: globalThis.seen_at, tasks: globalThis.long_tasks }));
  const delays = Object.entries(accepted).filter(([id]) => seen[id]).map(([id, at]) => Math.max(0, seen[id] - at));
  const missing = Object.keys(accepted).length - delays.length;
  say(`event to screen at ${events} events/s, p50 / p99`, `${ms(at_share(delays, 0.5))} / ${ms(at_share(delays, 0.99))}`, promise);
  say(`  messages that were on the screen`, `${delays.length} of ${delays.length + missing}`, 'the list has 50 rows');
  say(`  tasks above 50 ms, longest`, `${tasks.length}, ${ms(Math.max(0, ...tasks))}`, 'none');
  await context.close();
}

/** What measures the heap and the nodes of a page, without garbage. */
async function heap_of(context, page) {
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.enable');
  return async () => {
    for (let n = 0; n < 2; ++n) await session.send('HeapProfiler.collectGarbage'); // nodes go with the second, once scripts have let them go
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    return { mib: usedSize / 1024 / 1024, nodes };
  };
}

async function growth(browser, rack) {
  const minutes = whole ? 60 : 2;
  const context = await login(browser, rack, 'admin');
  const page = await open(context, rack, '/');
  const measure = await heap_of(context, page);
  await load(rack, 12.5, 15);
  const before = await measure();
  await load(rack, 12.5, minutes * 60);
  const after_load = await measure();
  const hour = after_load.mib + ((after_load.mib - before.mib) / minutes) * (60 - minutes);
  say(`heap after ${minutes} min at 50 events/s`, `${before.mib.toFixed(1)} -> ${after_load.mib.toFixed(1)} MiB`, '');
  say('  after an hour, if it grows on like that', `${hour.toFixed(1)} MiB`, '<= 24 MiB');
  say('  nodes', after_load.nodes, '<= 3,000');
  await context.close();
}

/** The most processor time that a task of the page's main thread takes while `use()` runs: a busy machine makes tasks long, and not this. */
async function longest_task_ms(browser, page, use) {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await use();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const place = ({ pid, tid }) => `${pid} ${tid}`;
  const main = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(place));
  const tasks = traceEvents.filter((one) => one.ph === 'X' && one.name.endsWith('RunTask') && main.has(place(one)));
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1000;
}

/** 500 events/s for minutes: no task is long, and nothing grows. */
async function flood(browser, rack) {
  const minutes = whole ? 10 : 1;
  for (const where of ['/', '/messages']) {
    const context = await login(browser, rack, 'admin');
    const page = await open(context, rack, where);
    const measure = await heap_of(context, page);
    await load(rack, 125, 5);
    await page.evaluate(watch_tasks);
    const before = await measure();
    await page.evaluate(() => { globalThis.long_tasks = []; }); // the collection of garbage was one
    await load(rack, 125, minutes * 60);
    const tasks = await page.evaluate(() => globalThis.long_tasks);
    const after = await measure();
    const busy = await longest_task_ms(browser, page, () => load(rack, 125, 20));
    say(`500 events/s for ${minutes} min, ${where}: tasks above 50 ms`, `${tasks.length}, longest ${ms(Math.max(0, ...tasks))}`, 'none');
    say('  most processor time of a task, in 20 s', ms(busy), '<= 50 ms');
    say('  heap', `${before.mib.toFixed(1)} -> ${after.mib.toFixed(1)} MiB`, 'no growth');
    say('  nodes', `${before.nodes} -> ${after.nodes}`, 'no growth');
    await context.close();
  }
}

async function many_tabs(browser, rack) {
  const context = await login(browser, rack, 'admin');
  const pages = [];
  for (let n = 0; n < 20; ++n) pages.push(await open(context, rack, '/messages'));
  await pause(1500);
  for (const page of pages) await page.evaluate(watch_rows);
  const id = await rack.send(next(), 'for all tabs');
  const begin = Date.now();
  let there = 0;
  await wait('all tabs', async () => {
    there = (await Promise.all(pages.map((page) => page.evaluate((one) => Boolean(globalThis.seen_at[one]), id)))).filter(Boolean).length;
    return there === 20;
  }, 15).catch(() => {});
  say('20 tabs live: they show a message within', `${there} tabs, ${ms(Date.now() - begin)}`, 'all');
  await context.close();
}

async function cpu_of_dashboards(browser, rack) {
  const pid = rack.running.get('smsrackd');
  const quiet = async () => {
    const before = cpu_s(pid);
    await pause(15_000);
    return (cpu_s(pid) - before) / 15;
  };
  const without = await quiet();
  const contexts = [];
  for (let n = 0; n < 10; ++n) {
    const context = await login(browser, rack, 'admin');
    await open(context, rack, '/');
    contexts.push(context);
  }
  await pause(3000);
  const with_ten = await quiet();
  say('CPU of the service for 10 open dashboards, idle rack', `${((with_ten - without) * 100).toFixed(2)} % of a core`, '<= 1 %');
  for (const context of contexts) await context.close();
}

/** Counts the calls that have no answer yet; the stream of events never has. */
const count_calls = () => {
  globalThis.open_calls = 0;
  const { fetch } = globalThis;
  globalThis.fetch = (address, ...more) => {
    if (String(address).includes('/v1/events')) return fetch(address, ...more);
    ++globalThis.open_calls;
    return fetch(address, ...more).finally(() => --globalThis.open_calls);
  };
};

/** Follows a link to `to`; gives in how many ms all that it asks for is drawn, and five frames more. */
const follow = async (to) => {
  const link = document.createElement('a');
  link.href = to;
  document.querySelector('main').append(link);
  const begin = performance.now();
  link.click();
  for (let quiet = 0; quiet < 5;) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const is_there = document.querySelector('main h1') && !document.querySelector('main .skeleton') && document.querySelector('main').innerText.length > 60;
    quiet = is_there && globalThis.open_calls === 0 ? quiet + 1 : 0;
  }
  return performance.now() - begin;
};

async function large(browser) {
  const rack = await Rack.start({ modems: 256, config: '[priority]\nprotect = false\n[queue]\ncapacity = 1100000\n', sim: ['--service-ms', '20', '--report-ms', '20', '--baud', '0'] });
  try {
    await rack.post('/v1/pause');
    const messages = whole ? 1_000_000 : 50_000;
    for (let n = 0; n < messages; n += 5000) {
      await rack.send_all(Array.from({ length: 5000 }, (_, at) => ({ to: next(), text: 'one of many', batch: `many-${Math.floor((n + at) / 100_000)}` })));
    }
    const id = await rack.send(next(), 'the last one');
    const context = await login(browser, rack, 'admin');
    await context.addInitScript(count_calls);
    for (const where of ['/', '/modems', '/modems/m100', '/messages', '/messages?state=queued', '/messages?q=100', `/messages/${id}`, '/batches', '/batches/many-0', '/inbox', '/scaling', '/programs', '/box']) {
      const page = await context.newPage();
      await page.goto(`${rack.address}/triggers`);
      await page.locator('main h1').waitFor();
      await pause(300);
      const took = await page.evaluate(follow, where);
      say(`256 modems, ${messages.toLocaleString('en')} waiting: ${where}`, ms(took), '<= 500 ms');
      await page.close();
    }
    await context.close();
  } finally {
    await rack.stop();
  }
}

const parts = {
  sizes,
  first: first_figures,
  live: (browser, rack) => event_to_screen(browser, rack, 20, 20, 'p99 <= 300 ms'),
  burst: (browser, rack) => event_to_screen(browser, rack, 500, 10, 'p99 <= 600 ms'),
  tabs: many_tabs,
  cpu: cpu_of_dashboards,
  growth,
  flood,
  large,
};
const named = process.argv.slice(2).filter((word) => word !== '--all');
const wanted = named.length > 0 ? named : Object.keys(parts);
const unknown = wanted.filter((name) => !parts[name]);
if (unknown.length > 0) {
  console.error(`figures.js: no part ${unknown}: ${Object.keys(parts)}`);
  process.exit(64);
}
let browser;
let rack;
try {
  for (const name of wanted) {
    if (name !== 'sizes') browser ??= await open_browser();
    if (!['sizes', 'large'].includes(name)) {
      rack ??= await Rack.start({ modems: 32, config: '[priority]\nprotect = false\n', sim: ['--service-ms', '20', '--report-ms', '20', '--baud', '0'] });
    }
    await parts[name](browser, rack);
  }
} finally {
  await browser?.close();
  await rack?.stop();
}

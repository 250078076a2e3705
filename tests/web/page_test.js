// What the page makes of the answers of the API, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './support/page_source.js';

const page = await bundled(`
  export * from './kit.js';
  export {byCause, meaningOf} from './screens/now/cause.js';
  export {overTime} from './screens/scaling.js';
  export {topOf} from './components/bars.js';`);

test('durations have at most two units, and none where one is enough', () => {
  for (const [seconds, text] of [[null, '–'], [0, '0 s'], [0.12, '120 ms'], [40, '40 s'], [61, '1 min 1 s'], [720, '12 min'], [7500, '2 h 5 min'],
    [86_400, '1 d'], [97_200, '1 d 3 h'], [400 * 86_400, '400 d']]) {
    assert.equal(page.duration(seconds), text);
  }
});

test('how long ago something was has one unit', () => {
  const now = Date.parse('2026-11-27T12:00:00Z');
  for (const [at, text] of [['2026-11-27T11:59:58Z', 'just now'], ['2026-11-27T11:59:13Z', '45 s ago'], ['2026-11-27T11:57:10Z', '2 min ago'],
    ['2026-11-27T09:10:00Z', '2 h ago'], ['2026-11-20T12:00:00Z', '7 d ago'], ['2026-11-27T12:05:00Z', 'just now']]) {
    assert.equal(page.ago(at, now), text);
  }
});

test('an address names a screen and its parts', () => {
  for (const [pattern, path, parts] of [['/', '/', {}], ['/', '/modems', null], ['/modems', '/modems/', {}], ['/modems/:name', '/modems/m%200', { name: 'm 0' }],
    ['/modems/:name', '/modems', null], ['/modems/:name', '/modems/m0/x', null], ['/inbox/:number', '/inbox/%2B336', { number: '+336' }], ['/modems/:name', '/modems/%E0', null]]) {
    assert.deepEqual(page.match(pattern, path), parts, `${pattern} ${path}`);
  }
});

test('events are the same wherever the network cuts the stream', () => {
  const stream = ':\n\nevent: message.sent\nid: 32\ndata: {"type":"message.sent","id":"28"}\n\n: still here\n\nevent: modem.state\nid: 33\ndata: {"type":"modem.state","modem":"m7"}\n\n';
  const all = [{ type: 'message.sent', id: '28', event_id: '32' }, { type: 'modem.state', modem: 'm7', event_id: '33' }];
  for (let cut = 0; cut <= stream.length; cut++) {
    const got = [];
    const parse = page.eventParser((event) => got.push(event));
    parse(stream.slice(0, cut));
    parse(stream.slice(cut));
    assert.deepEqual(got, all, `cut at ${cut}`);
  }
});

test('the headline says whether the rack sends, and if not, why, since when and what to do', () => {
  const group = (ahead) => ({ lines: 8, able: 8, rate: 4, levels: [{ ahead }] });
  const status = (more) => ({ ready: true, conditions: [], pauses: [], messages: { queued: 0, sending: 0 }, groups: [group(0)], ...more });
  const stop = (condition, text) => [{ condition, severity: 'critical', stops: 'sending', since: '2026-11-27T10:42:00Z', text, advice: 'look' }];
  const modems = (...states) => states.map((state) => ({ state, manual: 'open', link: state === 'ready' ? 'active' : 'pending', in_flight: 0 }));
  page.session.value = { role: 'admin' };
  for (const [what, given, kind, text, advice] of [
    ['a new rack', [status()], 'ok', 'All is well. No message waits; 8 of 8 modems can send.', 'Nothing was sent so far. Press Send a test, or write a message on the screen Send.'],
    ['idle', [status({ messages: { queued: 0, sending: 0, delivered: 9 } })], 'ok', 'All is well. No message waits; 8 of 8 modems can send.', null],
    ['at work', [status({ messages: { queued: 160, sending: 0 }, groups: [group(160)] })], 'busy', 'Sending. 160 messages wait; the last leaves in about 40 s.', null],
    ['one message', [status({ messages: { queued: 0, sending: 1 }, groups: [group(1)] })], 'busy', 'Sending. 1 message waits; the last leaves in about 1 s.', null],
    ['the slower of two groups', [status({ messages: { queued: 170, sending: 0 }, groups: [group(10), group(160)] })], 'busy', 'Sending. 170 messages wait; the last leaves in about 40 s.', null],
    ['a paused batch alone', [status({ messages: { queued: 20, sending: 0 }, pauses: [{ scope: 'batch', name: 'later' }] })], 'warn',
      'Nothing to send. Batch later is paused: 20 messages wait for it.', 'Resume it on the screen Batches once it may leave.'],
    ['a paused batch and others', [status({ messages: { queued: 180, sending: 0 }, groups: [group(160)], pauses: [{ scope: 'batch', name: 'later' }, { scope: 'batch', name: 'spring' }] })], 'busy',
      'Sending. 180 messages wait; the last leaves in about 40 s. 2 batches are paused.', null],
    ['a paused batch of which nothing waits', [status({ messages: { queued: 0, sending: 0, delivered: 9 }, pauses: [{ scope: 'batch', name: 'later' }] })], 'ok', 'All is well. No message waits; 8 of 8 modems can send. Batch later is paused.', null],
    ['a problem', [status({ conditions: [{ condition: 'weak_signal', severity: 'warning', stops: 'nothing' }] })], 'warn', 'Ready to send, with 1 problem. No message waits.', null],
    ['a problem while messages wait', [status({ messages: { queued: 160, sending: 0 }, groups: [group(160)], conditions: [{ condition: 'weak_signal', severity: 'warning', stops: 'nothing' }] })], 'warn',
      'Sending, with 1 problem. 160 messages wait; the last leaves in about 40 s.', null],
    ['all unregistered', [status({ conditions: stop('no_modem_can_send', 'x') }), modems('registering', 'registering')], 'bad', 'Not sending: all 2 modems have been unregistered',
      'Check the antenna, and whether the operator’s network is there.'],
    ['mixed', [status({ conditions: stop('no_modem_can_send', 'x') }), modems('absent', 'sim_wait', 'absent')], 'bad', 'Not sending: of 3 modems 2 are absent, 1 is without SIM,',
      'Check the power and the cables of the modems.'],
    ['a full disk', [status({ ready: false, conditions: stop('disk_full', 'the disk is full.') })], 'bad', 'Not sending: the disk is full', 'look'],
  ]) {
    const said = page.headline(...given);
    assert.deepEqual([said.kind, said.text, said.advice], [kind, text, advice], what);
  }
});

test('failures are counted by state and code, and their meaning is the story\'s', () => {
  const failed = (id, code, state, at) => ({ id, code, state, updated_at: at });
  const rows = page.byCause([failed('1', 'cms_28', 'failed', '1'), failed('2', 'ttl', 'expired', '2'), failed('3', 'cms_28', 'failed', '3')]);
  assert.deepEqual(rows.map(({ code, count, newest }) => [code, count, newest.id]), [['cms_28', 2, '3'], ['ttl', 1, '2']]);
  assert.deepEqual(page.meaningOf([{ what: 'Accepted: a text.' }, { what: 'After 0.07 s it was refused with +CMS ERROR 28: unidentified subscriber. That is final.', advice: 'check the number' },
    { what: 'It has failed.' }]), { meaning: 'Unidentified subscriber', advice: 'check the number' });
  assert.deepEqual(page.meaningOf([{ what: 'It has expired.' }]), { meaning: 'It has expired.', advice: undefined });
  assert.equal(page.meaningOf([]), null);
});

test('modems in work follow the decisions', () => {
  const at = (minute) => `2026-11-27T10:${String(minute).padStart(2, '0')}:00Z`;
  const line = page.overTime([{ at: at(0), n: 8, y: 7 }, { at: at(30), n: 7, y: 6 }], Date.parse(at(59)));
  assert.equal(line[0], 7);
  assert.equal(line.at(-1), 6);
  assert.deepEqual([...new Set(line)], [7, 6]);
});

test('the top of a scale is a round number at or above the highest value', () => {
  for (const [values, top] of [[[], 1], [[0, null], 1], [[3], 5], [[5], 5], [[6], 10], [[120, 150], 200], [[999], 1000]]) assert.equal(page.topOf(values), top);
});

test('of several quotas the one that ends first is shown', () => {
  assert.equal(page.quotaLeft({ quota_left: null }), null);
  assert.equal(page.quotaLeft({ quota_left: { hour: 40, day: 12, month: null } }), '12 left this day');
});

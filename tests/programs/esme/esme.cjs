// An SMPP client by npm's smpp: esme.cjs WHERE STEPS. The folder of that package is in SMSRACK_ESME_MODULES.
//
// WHERE is a port of this machine, or "tls:PORT". STEPS is JSON, a list of objects with one member each; each step ends before the next begins:
//   {"submit_sm": {...}}        any request, by the names of the package; waits for the answer. A string "$2" is the message_id that step 2 got.
//                               {"hex": "..."} is octets, {"in_s": 60} a date.
//   {"together": [{...}, ...]}  requests that are all sent before the first answer is read
//   {"receive": 2}              waits until two more deliver_sm have come; each is acknowledged at once
//   {"quiet_ms": 500}           waits
// Each PDU that comes is one line of JSON. Exit code: 0 all steps are done, 1 they are not.
'use strict';

const path = require('node:path');

const smpp = require(path.join(process.env.SMSRACK_ESME_MODULES, 'smpp'));

const [where, steps] = process.argv.slice(2);
const patience = 20_000;
const ids = [];
let received = 0;
let wanted = 0;
let enough = () => {};

function fail(why) {
  console.log(JSON.stringify({ failed: String(why) }));
  process.exit(1);
}

function value_of(value) {
  if (typeof value === 'string' && /^\$\d+$/.test(value)) {
    return ids[Number(value.slice(1))];
  }
  if (Array.isArray(value)) {
    return value.map(value_of);
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if ('hex' in value) {
    return Buffer.from(value.hex, 'hex');
  }
  if ('in_s' in value) {
    return new Date(Date.now() + value.in_s * 1000);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, value_of(member)]));
}

// Octets as hexadecimal digits.
function shown(name, value) {
  return value?.type === 'Buffer' ? Buffer.from(value.data).toString('hex') : value;
}

function within(what, promise) {
  return Promise.race([promise, new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`nothing came within ${patience} ms: ${what}`)), patience).unref();
  })]);
}

const session = smpp.connect(where.startsWith('tls:')
  ? { host: '127.0.0.1', port: Number(where.slice(4)), tls: true, rejectUnauthorized: false }
  : { host: '127.0.0.1', port: Number(where) });
session.on('error', (error) => fail(error.message));
session.on('pdu', (pdu) => console.log(JSON.stringify(pdu, shown)));
session.on('enquire_link', (pdu) => session.send(pdu.response()));
session.on('unbind', (pdu) => session.send(pdu.response()));
session.on('deliver_sm', (pdu) => {
  session.send(pdu.response());
  received += 1;
  if (received >= wanted) {
    enough();
  }
});

function request(step) {
  const [[command, options]] = Object.entries(step);
  return within(command, new Promise((resolve) => {
    session[command](value_of(options), resolve);
  }));
}

async function run(step, index) {
  const [[what, value]] = Object.entries(step);
  if (what === 'receive') {
    wanted += value;
    if (received < wanted) {
      await within(what, new Promise((resolve) => { enough = resolve; }));
    }
  } else if (what === 'together') {
    await Promise.all(value.map(request));
  } else if (what === 'quiet_ms') {
    await new Promise((resolve) => { setTimeout(resolve, value); });
  } else {
    ids[index] = (await request(step)).message_id;
  }
}

session.on(where.startsWith('tls:') ? 'secureConnect' : 'connect', async () => {
  try {
    for (const [index, step] of JSON.parse(steps).entries()) {
      await run(step, index);
    }
  } catch (error) {
    fail(error.message);
  }
  session.close();
});

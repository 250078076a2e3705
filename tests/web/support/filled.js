// A rack on which everything happened once: so that each screen has something to show.
import { Esme } from './esme.js';
import { Receiver } from './receiver.js';
import { wait } from './wait.js';

export const paris = '+33600000500';
const receiver = await Receiver.start('crm', ['message.delivered', 'message.received']);
const esme = await Esme.make('bank', 'courier');
export const filled_plan = {
  modems: 4,
  config: '[[trigger]]\nname = "welcome"\ntemplate = "Welcome to {topic}!"\n\n' + esme.config + receiver.config,
};
/** A rack that parks modems, and has decided so. */
export const scaling_plan = { modems: 6, config: '[scaling]\nenabled = true\nperiod_ms = 200\nsamples = 10\n' };

/** Attacking texts, and what of them must be seen. */
export const attacks = [
  { text: '<img src=x onerror=alert(1)>', seen: '<img src=x onerror=alert(1)>' },
  { text: 'pay \u202e0001 RUE\u202c now', seen: 'U+202E' },
  { text: 'nul \u0000 end', seen: 'U+0000', sent: false },
  { text: '"><script>alert(1)</script>', seen: '"><script>alert(1)</script>' },
  { text: 'javascript:alert(1) http://evil.example/', seen: 'javascript:alert(1) http://evil.example/' },
];

/** Gives ids: { delivered, failed, long, uncertain }. */
export async function fill(rack, { messages = 250 } = {}) {
  const made = {};
  receiver.status = 500;
  await rack.reaches(await rack.send('+33600000400', 'The receiver of its event is broken.'), 'delivered');
  await wait('its event to wait', async () => (await receiver.hook(rack)).waiting > 0);
  await receiver.kill_waiting(rack);
  receiver.status = 200;
  await rack.connect('shop');
  await esme.bind();
  await esme.submit_to_nobody();
  // Another gate program may hold the same number: each has one of its own.
  made.delivered = await rack.send('+33600000401', 'Your parcel is at the counter.');
  made.long = await rack.send('+33600000402', 'The road to the north is closed because of snow. '.repeat(8));
  await rack.reaches(made.delivered, 'delivered');
  await rack.reaches(made.long, 'delivered');
  for (let modem = 0; modem < rack.plan.modems; ++modem) await rack.simulate({ do: 'cms_error', modem, code: 38, count: 1 });
  await rack.send('+33600000403', 'A second try reaches this one.');
  for (let modem = 0; modem < rack.plan.modems; ++modem) await rack.simulate({ do: 'cms_error', modem, code: 1, count: 1 });
  made.failed = await rack.send('+33600000404', 'This number is not assigned.');
  await rack.reaches(made.failed, 'failed');
  await rack.simulate({ do: 'calm' });
  for (const [at, { text, sent }] of attacks.entries()) {
    if (sent !== false) await rack.send(`+3360000045${at}`, text);
    if (sent !== false) await rack.receive(`+3360000047${at}`, text);
  }
  await rack.receive('+33600000480', 'x'.repeat(900));
  await rack.receive('+33600000401', 'Thank you, I will come at six.');
  await rack.send('+33600000401', 'We close at seven.');
  for (let n = 0; n < 12; ++n) await rack.receive(`+336000006${String(n).padStart(2, '0')}`, `Question ${n}: when do you open?`);
  await rack.post('/v1/pause', { batch: 'later', create: true });
  await rack.send_all(Array.from({ length: 20 }, (_, n) => ({ to: `+336000007${String(n).padStart(2, '0')}`, text: 'The market opens at nine.', batch: 'later' })));
  await rack.send_all(Array.from({ length: messages }, (_, n) => ({ to: `+33600001${String(n).padStart(3, '0')}`, text: `Number ${n} of the spring letter.`, batch: 'spring' })));
  await rack.call('POST', '/v1/triggers/welcome/events', ['paris', 'nice', 'lyon'].map((topic) => JSON.stringify({ number: paris, topic })).join('\n') + '\n');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await rack.send('+33600000405', 'Tomorrow is market day.', { not_before: tomorrow });
  await wait('the inbox to be filled', async () => (await rack.get('/v1/conversations')).conversations.length >= 17, 30);
  return made;
}

export async function fill_scaling(rack) {
  await rack.send_all(Array.from({ length: 60 }, (_, n) => ({ to: `+336000004${String(n).padStart(2, '0')}`, text: 'So that a rate is known.' })));
  await wait('a decision', async () => (await rack.get('/v1/scaling')).decisions.length > 0, 60);
  return {};
}

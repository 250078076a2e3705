// What can be wrong with a rack, made for real: each state says what the dashboard must show within 5 s.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Rack } from './rack.js';
import { Receiver } from './receiver.js';

/** A small disk of its own; null where this account may not mount one. */
function small_disk() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smsrack-disk-'));
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]);
  if (done.status === 0) return folder;
  fs.rmdirSync(folder);
  return null;
}
function remove_disk(folder) {
  spawnSync('umount', ['-l', folder]);
  fs.rmdirSync(folder);
}
function fill(folder) {
  const file = fs.openSync(path.join(folder, 'filling'), 'a');
  for (let size = 65_536; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) fs.writeSync(file, Buffer.alloc(size, 'x'));
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }
  fs.closeSync(file);
}

/** Each event is a day in the future: then the clock must be wrong. */
function age_database(rack, days) {
  const done = spawnSync('python3', ['-c', 'import sqlite3, sys\nbase = sqlite3.connect(sys.argv[1])\n' +
    'base.execute("UPDATE events SET at = at + ?", (int(sys.argv[2]) * 86400000,))\nbase.commit()',
  path.join(rack.state_dir, 'smsrack.db'), String(days)], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
}

/**
 * `code`: that of /v1/attention, none where all is well; `cause`, `advice`: words that the page must show.
 * `make` brings an already running rack there, `plan` starts one for it; `mend` takes it back. `slow`: takes more than some seconds.
 */
export const states = [
  {
    name: 'everything is fine',
    cause: /all is well/i,
    advice: /\d of \d modems can send/i,
    make: async () => {},
    mend: async () => {},
  },
  {
    name: 'the rack is paused',
    code: 'rack_paused',
    cause: /paused/i,
    advice: /resume/i,
    make: (rack) => rack.post('/v1/pause'),
    mend: (rack) => rack.post('/v1/resume'),
  },
  {
    name: 'all modems are unregistered',
    code: 'no_modem_can_send',
    cause: /not sending[^]*(no modem can send|unregistered)/i,
    advice: /antenna/i,
    make: (rack) => rack.simulate({ do: 'network_lost' }),
    mend: (rack) => rack.simulate({ do: 'network_back' }),
  },
  {
    name: 'one modem is deaf',
    code: 'modem_silent',
    cause: /m1[^]*does not answer/i,
    advice: /power/i,
    plan: { modems: 4, config: '[defaults]\nheartbeat_s = 2\n' },
    make: (rack) => rack.simulate({ do: 'hang', modem: 1 }),
    slow: true,
  },
  {
    name: 'a quota is spent',
    code: 'quota_spent',
    cause: /m0[^]*quota/i,
    advice: /raise[^]*quota/i,
    plan: { modems: 2, keys: { 0: 'quota = { per_day = 1 }' } },
    make: async (rack) => {
      for (let n = 0; n < 4; ++n) await rack.send(`+3360000010${n}`, 'one of four');
    },
    slow: true,
  },
  {
    name: 'a SIM is full',
    code: 'sim_nearly_full',
    cause: /SIM[^]*m0[^]*full/i,
    advice: /erase/i,
    plan: { modems: 2, sim: ['--sim-places', '10'] },
    make: async (rack) => {
      await rack.end('smsrackd');
      await rack.simulate({ do: 'inbound', modem: 0, count: 100, text: 'number {id}' });
      await rack.simulate({ do: 'erase_slow', modem: 0, count: 1000, ms: 5000 });
      await rack.start_service();
    },
    slow: true,
  },
  {
    name: 'the disk is full',
    code: 'disk_full',
    cause: /disk is full/i,
    advice: /make room/i,
    plan: () => {
      const disk = small_disk();
      return disk && { modems: 2, state_dir: path.join(disk, 'state'), disk };
    },
    make: (rack) => fill(rack.disk),
    slow: true,
  },
  {
    name: 'the clock is wrong',
    code: 'clock_not_believed',
    cause: /clock/i,
    advice: /timedatectl/i,
    plan: { modems: 2, service: 'clock_wait_s = 120\n' },
    make: async (rack) => {
      await rack.send('+33600000100', 'before');
      await rack.end('smsrackd');
      age_database(rack, 1);
      await rack.start_service();
    },
    slow: true,
  },
  {
    name: 'a webhook is switched off by its receiver',
    code: 'webhook_off',
    cause: /webhook crm[^]*off/i,
    advice: /webhook open crm/i,
    plan: async () => ({ modems: 2, config: (await Receiver.start('crm', ['message.*'], 410)).config }),
    make: (rack) => rack.send('+33600000100', 'for the webhook'),
    slow: true,
  },
];

/** A rack in this state, until `use(rack)` ends; false where this machine can not make it. */
export async function in_state(state, use) {
  const plan = typeof state.plan === 'function' ? await state.plan() : state.plan;
  if (plan === null) return false;
  let rack;
  try {
    rack = await Rack.start(plan);
    rack.disk = plan?.disk;
    await state.make(rack);
    if (state.code) await rack.attention(state.code);
    await use(rack);
  } finally {
    await rack?.stop();
    if (plan?.disk) remove_disk(plan.disk);
  }
  return true;
}

// A receiver of webhooks: it answers with `status`, and notes the ids of what it got.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { wait } from './wait.js';

const hour_ms = 3_600_000;
const retry_h = 1; // the least that the configuration takes

export class Receiver {
  /** It ends with the test. `events`: names of those that its webhook `name` gets. */
  static async start(name, events, status = 200) {
    const receiver = new Receiver();
    Object.assign(receiver, { name, status, ids: [], folder: fs.mkdtempSync(path.join(os.tmpdir(), 'smsrack-hook-')) });
    process.on('exit', () => fs.rmSync(receiver.folder, { recursive: true }));
    const server = http.createServer((request, answer) => {
      request.resume();
      request.on('end', () => {
        if (receiver.status < 300) receiver.ids.push(request.headers['webhook-id']);
        answer.writeHead(receiver.status).end();
      });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.unref();
    const secret = path.join(receiver.folder, 'secret');
    fs.writeFileSync(secret, `whsec_${randomBytes(32).toString('base64')}\n`, { mode: 0o640 });
    receiver.config = `[[webhook]]\nname = "${name}"\nurl = "http://127.0.0.1:${server.address().port}/hook"\nevents = ${JSON.stringify(events)}\n` +
      `retry_h = ${retry_h}\nsecret = { file = "${secret}" }\n`;
    return receiver;
  }

  hook(rack) {
    return rack.get('/v1/webhooks').then(({ webhooks }) => webhooks.find(({ name }) => name === this.name));
  }

  /** What waits for this receiver dies: its first attempt becomes so old that the next one is its last. Gives how many died. */
  async kill_waiting(rack) {
    const before = this.status;
    this.status = 500;
    await wait('a first attempt', async () => (await rack.get(`/v1/webhooks/${this.name}/deliveries?state=waiting`)).deliveries.every((one) => one.attempts_made > 0));
    await rack.end('smsrack-gate');
    await rack.end('smsrackd');
    const done = spawnSync('python3', ['-c', 'import sqlite3, sys\nbase = sqlite3.connect(sys.argv[1])\n' +
      'base.execute("UPDATE deliveries SET first_at = first_at - ?, next_at = next_at - ? WHERE state = 0", [int(sys.argv[2])] * 2)\nbase.commit()',
    path.join(rack.state_dir, 'smsrack.db'), String((retry_h + 1) * hour_ms)], { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
    await rack.start_service();
    await rack.start_gate();
    const died = await wait('what waited to be dead', async () => {
      const { waiting, dead } = await this.hook(rack);
      return waiting === 0 && dead;
    }, 40);
    this.status = before;
    return died;
  }
}

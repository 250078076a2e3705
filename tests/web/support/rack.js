// A rack for the browser: smsrack-sim, smsrackd and smsrack-gate in a folder of their own.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { wait } from './wait.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const programs = process.env.SMSRACK_BIN_DIR ?? path.join(root, 'build/release/bin');
const start_s = 30;  // most of it is the modems'; the machine may be busy
const stop_s = 30;   // the service finishes what is in flight first

const exists = (file) => fs.existsSync(file);

export async function free_port() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function is_alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// A test that ends in the middle leaves no program behind.
const started = new Set();
process.on('exit', () => {
  for (const pid of started) {
    if (is_alive(pid)) process.kill(pid, 'SIGKILL');
  }
});
process.once('SIGTERM', () => process.exit(143));
process.once('SIGINT', () => process.exit(130));

/** What `smsrack ...` prints; an error where it fails. */
export function smsrack(...words) {
  const done = spawnSync(path.join(programs, 'smsrack'), words, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`smsrack ${words[0]}: code ${done.status}: ${done.stderr || done.stdout}`);
  return done.stdout;
}

export class Rack {
  /**
   * `modems`: how many; `config`: more TOML; `service`: more of its section; `keys`: TOML by modem number; `sim`: more options of smsrack-sim;
   * `state_dir`: where the database is, such as on a small disk.
   */
  constructor({ modems = 4, config = '', service = '', keys = {}, sim = [], state_dir } = {}) {
    this.plan = { modems, config, service, keys, sim };
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smsrack-web-'));
    this.state_dir = state_dir ?? this.file('state');
    this.socket = this.file('smsrack.sock');
    this.tokens = {};
    this.running = new Map();  // program -> pid
  }

  static async start(plan) {
    const rack = new Rack(plan);
    try {
      await rack.start();
    } catch (error) {
      await rack.stop();
      throw error;
    }
    return rack;
  }

  file(name) {
    return path.join(this.folder, name);
  }
  log(program) {
    return exists(this.file(`${program}.log`)) ? fs.readFileSync(this.file(`${program}.log`), 'utf8') : '';
  }

  async start() {
    await this.start_modems();
    this.port = await free_port();
    this.address = `http://127.0.0.1:${this.port}`;
    for (const role of ['send', 'read', 'admin']) this.new_token(role, role);
    this.write_config();
    await this.start_service();
    await this.start_gate();
  }

  new_token(name, role, ...more) {
    const made = smsrack('--json', 'token', 'new', '--role', role, '--name', name, '--file', this.file('tokens'), ...more);
    this.tokens[name] = JSON.parse(made).token;
    return this.tokens[name];
  }

  write_config(more = '') {
    let text = `[service]\nstate_dir = "${this.state_dir}"\nsocket = "${this.socket}"\n${this.plan.service}\n` +
      `[http]\nlisten = "127.0.0.1:${this.port}"\ntokens = "${this.file('tokens')}"\n\n${this.plan.config}\n${more}\n`;
    for (let n = 0; n < this.plan.modems; ++n) {
      text += `[[modem]]\nname = "m${n}"\nport = "${this.folder}/modems/modem${n}"\n${this.plan.keys[n] ?? ''}\n`;
    }
    fs.writeFileSync(this.file('smsrack.toml'), text);
    fs.mkdirSync(this.state_dir, { recursive: true, mode: 0o700 });
  }

  launch(program, ...words) {
    const runtime = this.file('run'); // where the gate keeps its logins over a restart
    fs.mkdirSync(runtime, { recursive: true, mode: 0o700 });
    const log = fs.openSync(this.file(`${program}.log`), 'a');
    const child = spawn(path.join(programs, program), words, { stdio: ['ignore', log, log], detached: true, env: program === 'smsrack-gate' ? { ...process.env, RUNTIME_DIRECTORY: runtime } : process.env });
    fs.closeSync(log);
    child.unref();
    this.running.set(program, child.pid);
    started.add(child.pid);
    child.once('exit', () => started.delete(child.pid));
    return child.pid;
  }

  async until(what, condition) {
    try {
      return await wait(what, condition, start_s);
    } catch (error) {
      const logs = [...this.running.keys()].map((program) => `${program}: ${this.log(program).slice(-600)}`);
      throw new Error(`${error.message}\n${logs.join('\n')}`);
    }
  }

  async start_modems() {
    const folder = this.file('modems');
    fs.mkdirSync(folder);
    this.launch('smsrack-sim', '--modems', String(this.plan.modems), '--dir', folder, '--control', this.file('sim.sock'),
      '--boot-ms', '200', '--seed', '1', ...(this.plan.sim.includes('--service-ms') ? [] : ['--service-ms', '200']), ...this.plan.sim);
    await this.until('the simulated modems', () => exists(this.file('sim.sock')) && exists(path.join(folder, `modem${this.plan.modems - 1}`)));
  }

  async start_service() {
    this.launch('smsrackd', '--config', this.file('smsrack.toml'));
    await this.until('the modems to be active', async () => (await this.get('/v1/modems')).modems.every((modem) => modem.link === 'active'));
  }

  async start_gate() {
    this.launch('smsrack-gate', '--config', this.file('smsrack.toml'));
    await this.until('the gate', async () => (await fetch(`${this.address}/healthz`)).status === 200);
  }

  /** A call on the Unix socket, as root or the account of the tests: role admin. */
  call(method, target, body) {
    return new Promise((resolve, reject) => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const headers = text === undefined ? {} : {
        'Content-Type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
        'Content-Length': Buffer.byteLength(text),
      };
      const request = http.request({ socketPath: this.socket, method, path: target, headers, timeout: 20_000 }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => {
          const content = Buffer.concat(parts).toString();
          let json;
          try {
            json = JSON.parse(content);
          } catch {
            json = content;
          }
          resolve({ status: answer.statusCode, json });
        });
      });
      request.on('error', reject);
      request.on('timeout', () => request.destroy(new Error(`${method} ${target}: no answer`)));
      request.end(text);
    });
  }

  async get(target) {
    const { status, json } = await this.call('GET', target);
    if (status !== 200) throw new Error(`GET ${target}: ${status} ${JSON.stringify(json).slice(0, 200)}`);
    return json;
  }
  async post(target, body = {}) {
    const { status, json } = await this.call('POST', target, body);
    if (status >= 300) throw new Error(`POST ${target}: ${status} ${JSON.stringify(json).slice(0, 200)}`);
    return json;
  }
  /** The id of an accepted message. */
  async send(to, text, more = {}) {
    return (await this.post('/v1/messages', { to, text, ...more })).id;
  }
  /** A body of many lines. */
  async send_all(messages) {
    return this.post('/v1/messages', messages.map((message) => JSON.stringify(message)).join('\n') + '\n');
  }
  async reaches(id, ...states) {
    return wait(`message ${id} is ${states}`, async () => states.includes((await this.get(`/v1/messages/${id}`)).state));
  }

  /** An order to smsrack-sim: `{ do: 'network_lost', modem: 0 }`. */
  simulate(order) {
    return new Promise((resolve, reject) => {
      const control = net.connect(this.file('sim.sock'));
      let text = '';
      control.on('error', reject);
      control.on('data', (part) => {
        text += part;
        if (!text.includes('\n')) return;
        control.end();
        const answer = JSON.parse(text);
        if (answer.ok) resolve(answer);
        else reject(new Error(`smsrack-sim refuses ${JSON.stringify(order)}: ${answer.error}`));
      });
      control.write(`${JSON.stringify(order)}\n`);
    });
  }
  async receive(from, text, more = {}) {
    await this.simulate({ do: 'inbound', modem: 0, from, text, ...more });
  }

  /** A program of this name that reads events, until the service ends. */
  connect(name) {
    return new Promise((resolve, reject) => {
      const request = http.get({ socketPath: this.socket, path: `/v1/events?client=${name}` }, (answer) => {
        answer.on('error', () => {});
        answer.resume();
        resolve();
      });
      request.on('error', reject);
    });
  }

  /** Until /v1/attention has this code; its entry. */
  attention(code) {
    return wait(`attention ${code}`, async () => (await this.get('/v1/attention')).attention.find((one) => one.code === code), 90);
  }

  async kill_service() {
    const pid = this.running.get('smsrackd');
    process.kill(pid, 'SIGKILL');
    await wait('smsrackd to be gone', () => !is_alive(pid));
    this.running.delete('smsrackd');
  }
  async upgrade() {
    const before = this.running.get('smsrackd');
    const report = JSON.parse(smsrack('--socket', this.socket, '--json', 'upgrade', path.join(programs, 'smsrackd')));
    this.running.set('smsrackd', report.pid);
    started.add(report.pid);
    await wait('the old smsrackd to be gone', () => !is_alive(before));
  }

  async end(program) {
    const pid = this.running.get(program);
    if (pid === undefined) return;
    this.running.delete(program);
    if (!is_alive(pid)) return;
    process.kill(pid, 'SIGTERM');
    try {
      await wait(`${program} to end`, () => !is_alive(pid), stop_s);
      started.delete(pid);
    } catch {
      process.kill(pid, 'SIGKILL');
    }
  }
  async stop() {
    for (const program of ['smsrack-gate', 'smsrackd', 'smsrack-sim']) await this.end(program);
    if (process.env.SMSRACK_KEEP) console.log(`kept: ${this.folder}`);
    else fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

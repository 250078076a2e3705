// A client of the gate's SMPP server (an ESME), which binds as a transceiver and takes what is delivered to it.
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { free_port, smsrack } from './rack.js';
import { wait } from './wait.js';

const bind_transceiver = 0x09;
const submit_sm = 0x04;
const unbind = 0x06;
const answer_bit = 0x8000_0000;
const head_octets = 16;

const pdu = (command, status, sequence, body = Buffer.alloc(0)) => {
  const head = Buffer.alloc(head_octets);
  [head_octets + body.length, command, status, sequence].forEach((value, at) => head.writeUInt32BE(value, 4 * at));
  return Buffer.concat([head, body]);
};

export class Esme {
  /** Accounts of these names; the client is the first. `config` is for the rack's plan. */
  static async make(...names) {
    const esme = new Esme();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smsrack-smpp-'));
    process.on('exit', () => fs.rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'accounts');
    const [account] = names.map((name) => JSON.parse(smsrack('--json', 'smpp', 'new', name, '--file', file)));
    const port = await free_port();
    Object.assign(esme, account, { port, sequence: 0, answers: new Map(), socket: null });
    esme.config = `[smpp]\nlisten = "127.0.0.1:${port}"\naccounts = "${file}"\n\n`;
    return esme;
  }

  get is_bound() {
    return this.socket !== null;
  }

  async bind() {
    await wait('the SMPP server', () => this.connect());
    const status = await this.ask(bind_transceiver, Buffer.from(`${this.name}\0${this.password}\0\0\x34\0\0\0`, 'latin1'));
    if (status !== 0) throw new Error(`bind: status ${status}`);
  }

  /** A message without a number, which the gate refuses with ESME_RINVDSTADR. */
  submit_to_nobody() {
    return this.ask(submit_sm, Buffer.from(`\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02Hi`, 'latin1'));
  }

  async unbind() {
    await this.ask(unbind);
    this.socket?.destroy();
    await wait('the end of the session', () => !this.is_bound);
  }

  async connect() {
    const socket = net.connect(this.port, '127.0.0.1');
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.unref();
    let octets = Buffer.alloc(0);
    socket.on('data', (part) => {
      octets = Buffer.concat([octets, part]);
      while (octets.length >= head_octets && octets.length >= octets.readUInt32BE(0)) {
        this.take(octets.readUInt32BE(4), octets.readUInt32BE(8), octets.readUInt32BE(12));
        octets = octets.subarray(octets.readUInt32BE(0));
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.socket = null;
    });
    this.socket = socket;
    return true;
  }

  take(command, status, sequence) {
    if (command >= answer_bit) {
      this.answers.set(sequence, status);
      return;
    }
    const has_id = command === 0x05; // deliver_sm_resp has an empty message_id
    this.socket?.write(pdu(command + answer_bit, 0, sequence, Buffer.alloc(has_id ? 1 : 0)));
    if (command === unbind) this.socket?.end();
  }

  /** The status of the answer. */
  async ask(command, body) {
    const sequence = ++this.sequence;
    this.socket.write(pdu(command, 0, sequence, body));
    await wait(`an answer to command ${command}`, () => this.answers.has(sequence));
    return this.answers.get(sequence);
  }
}

// A receiver of webhooks that checks each request with npm's standardwebhooks: receiver.cjs KEYFILE PORT. The folder of that package is in
// SMSRACK_HOOK_MODULES. One line for each request: its id and body, or "refused", its id and why.
'use strict';

const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const { Webhook } = require(path.join(process.env.SMSRACK_HOOK_MODULES, 'standardwebhooks'));

const [keyFile, port] = process.argv.slice(2);
const webhook = new Webhook(fs.readFileSync(keyFile, 'utf8').split('\n')[0].trim());

http.createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces).toString('utf8');
    const id = request.headers['webhook-id'];
    try {
      webhook.verify(body, request.headers);
      fs.writeSync(1, `${id} ${body}\n`);
      response.writeHead(204).end();
    } catch (error) {
      fs.writeSync(1, `refused ${id} ${error.message}\n`);
      response.writeHead(400).end();
    }
  });
}).listen(Number(port), '127.0.0.1');

import {plural} from '../plural.js';

export const lead = 'Who sends through this rack, and what each still has to get.';
export const col = {
    name: 'Name', link: 'Connection', waiting: 'Waiting', buffered: 'Not fetched', heard: 'Last heard', lost: 'Lost', state: 'State', dead: 'Dead', oldest: 'Oldest', last: 'Last answer',
    role: 'Role', made: 'Made', expires: 'Expires', used: 'Last used', from: 'From', event: 'Event', at: 'Time', tries: 'Tries', result: 'Result', type: 'What',
    sessions: 'Sessions', inFlight: 'In flight', refusal: 'Last refusal', address: 'Address', bind: 'Bound as', since: 'Since', requests: 'Requests', delivering: 'Delivering',
};
export const clients = 'Programs';
export const noClients = 'No program has named itself yet.';
export const noClientsHow = 'Programs that open /v1/events?client=NAME appear here.';
export const links = {active: ['Connected', 'ok'], pending: ['Not heard from', 'warn'], stop: ['Not connected', 'off']};
export const blocked = 'Blocked';
export const block = 'Block';
export const blockAsk = (name, n) => `Block ${name}? Its new messages are refused${n > 0 ? `; ${plural(n, 'message')} that it brought before ${n === 1 ? 'is' : 'are'} still sent` : ''}.`;
export const blockDetail = 'Its results are kept and delivered.';
export const didBlock = (name) => `${name} is blocked: its messages are refused.`;
export const unblock = 'Unblock';
export const didUnblock = (name) => `${name} may send again.`;
export const smpp = 'SMPP accounts';
export const noSmpp = 'There is no SMPP account yet.';
export const noSmppHow = 'A program that speaks SMPP needs an account. Make one on the box:';
export const noSmppCommand = 'smsrack smpp new NAME';
export const bound = 'Bound';
export const notBound = 'Not bound';
export const ofMost = (n, most) => `${n} of ${most}`;
export const unbind = 'Unbind';
export const unbindAsk = (name, n) => `End ${plural(n, 'session')} of ${name}?`;
export const unbindDetail = 'What is in flight is answered first. The account may bind again.';
export const didUnbind = (name) => `The sessions of ${name} end in a few seconds.`;
export const smppFacts = {
    link: 'Connection', sessions: 'Sessions', inFlight: 'In flight', waiting: 'Deliveries waiting', delivered: 'Delivered', refused: 'Deliveries refused', throttled: 'Throttled', rate: 'Rate limit', window: 'Window',
};
export const rate = (n) => (n > 0 ? `${n} per second` : 'none');
export const sessions = 'Sessions';
export const noSessions = 'No session is bound.';
export const noSessionsHow = 'Receipts and received messages wait until one binds.';
export const binds = {tx: 'Transmitter', rx: 'Receiver', trx: 'Transceiver', unbinding: 'Unbinding'};
export const overTls = ', TLS';
export const webhooks = 'Webhooks';
export const noWebhooks = 'No webhook is configured.';
export const noWebhooksHow = 'A webhook sends each event to an address of yours. This command makes one:';
export const noWebhooksCommand = 'smsrack webhook new NAME https://your.server/path';
export const hookStates = {open: ['Open', 'ok'], failing: ['Failing', 'warn'], off: ['Off', 'off']};
export const replay = 'Replay the dead';
export const replayAsk = (name, n) => `Send ${plural(n, 'dead event')} of ${name} again?`;
export const replayDetail = 'Each keeps its id, so the receiver recognises what it already has.';
export const replayed = (n) => `${plural(n, 'event')} will be sent again.`;
export const test = 'Test';
export const tested = (answer) => (answer.error ? `The test failed: ${answer.error}` : `The test was answered with ${answer.status} in ${answer.ms} ms.`);
export const switchOff = 'Switch off';
export const switchOffAsk = (name, n) => `Switch ${name} off? Events are kept and wait${n > 0 ? `, ${plural(n, 'event')} already` : ''}.`;
export const switchedOff = (name) => `${name} is off.`;
export const switchOn = 'Switch on';
export const switchedOn = (name) => `${name} is on.`;
export const deliveries = 'Deliveries';
export const noDeliveries = 'There is no delivery like this.';
export const filter = 'Show';
export const filters = {'': 'All', waiting: 'Waiting', dead: 'Dead', delivered: 'Delivered'};
export const deliveryKinds = {waiting: ['Waiting', 'busy'], delivered: ['Delivered', 'ok'], dead: ['Dead', 'bad']};
export const replayOne = 'Send again';
export const facts = {url: 'Address', events: 'Events', client: 'Only messages of', state: 'State', waiting: 'Waiting', dead: 'Dead', oldest: 'Oldest waits since', last: 'Last answer', p50: 'Answers, median', p99: 'Answers, 99 of 100'};
export const tokens = 'Tokens';
export const noTokens = 'There is no token yet.';
export const noTokensHow = 'A token lets a program or a person in. Make one on the box:';
export const noTokensCommand = 'smsrack token new --role send --name NAME';
export const masked = 'masked';
export const never = 'never';
export const revokedWord = 'Revoked';
export const revoke = 'Revoke';
export const revokeAsk = (name) => `Revoke the token ${name}?`;
export const revokeDetail = 'What uses it is cut off within 2 s. This cannot be undone.';
export const ownToken = 'This page is logged in with it.';
export const revoked = (name) => `The token ${name} is revoked.`;

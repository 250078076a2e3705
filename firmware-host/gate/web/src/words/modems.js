import {plural} from '../plural.js';

export const lead = (ready, all) => `${ready} of ${all} can send.`;
export const empty = 'No modem is configured.';
export const emptyHow = 'Each modem is a table in the configuration. This command lists the ports of the box:';
export const emptyCommand = 'smsrack slots';
export const filter = 'Filter by name, operator or number';
export const noneFits = 'No modem fits this filter.';
export const inFlight = (n) => `${n} in flight`;
export const noOperator = 'no operator';
export const noNumber = 'number unknown';
export const dbm = (value) => (value === null ? 'no signal' : `${value} dBm`);
export const drain = 'Drain';
export const drained = (name) => `Modem ${name} gets nothing new; it finishes what it holds.`;
export const resume = 'Resume';
export const resumed = (name) => `Modem ${name} gets work again.`;
export const reset = 'Reset';
export const resetAsk = (name, n) => `Restart modem ${name}? ${n === 0 ? 'It holds no message.' : `It finishes ${plural(n, 'message')} first.`}`;
export const resetDetail = 'It sends nothing for about a minute.';
export const resetDone = (name) => `Modem ${name} restarts.`;
export const facts = {
    operator: 'Operator', registration: 'Registration', signal: 'Signal', number: 'Number', iccid: 'SIM (ICCID)', imsi: 'IMSI', simUse: 'SIM storage',
    quota: 'Quota left', model: 'Model', revision: 'Firmware', imei: 'IMEI', port: 'Port', group: 'Group', accepted: 'Sent in all',
    failed: 'Failed in all', received: 'Received in all', inFlight: 'In flight', listens: 'Listens again', paused: 'Waits until',
};
export const simUse = (used, total) => (total === null ? null : `${used} of ${total} places used`);
export const device = 'Modem and SIM';
export const traffic = 'Last 24 hours';
export const trafficText = (sent, failed, received) => `${plural(sent, 'message')} sent, ${failed} failed, ${received} received in the last 24 hours.`;
export const halfHour = (time, sent, received, failed) => `From ${time}: ${sent} sent, ${received} received, ${failed} failed`;
export const sent = 'sent';
export const failed = 'failed';
export const received = 'received';
export const signal = 'Signal';
export const signalText = (low, high) => `${low === high ? low : `Between ${low} and ${high}`} dBm in the last 24 hours.`;
export const noSignal = 'No signal was recorded yet.';
export const past = 'History of states';
export const pastEmpty = 'Nothing happened to this modem yet.';
export const dayAgo = '24 h ago';
export const nowEnd = 'now';
export const causes = 'Failures by cause, 24 hours';
export const noCauses = 'No message failed on this modem.';
export const talk = 'Talk to the modem';
export const talkLead = 'One command, between messages. Each is recorded with your name.';
export const kind = 'Kind of command';
export const at = 'AT command';
export const ussd = 'USSD code';
export const sendAt = 'Send';
export const answer = 'Answer';
export const col = {time: 'Time', state: 'State'};

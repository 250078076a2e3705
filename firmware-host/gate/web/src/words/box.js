import {plural} from '../plural.js';

export const machine = 'Box';
export const facts = {
    version: 'Version', schema: 'Database schema', uptime: 'Service runs for', machineUptime: 'Box runs for', disk: 'Disk',
    clock: 'Clock', memory: 'Memory of the service', memoryFree: 'Memory of the box', slot: (name) => `Slot ${name}`,
};
export const running = 'running';
export const empty = 'empty';
export const clockWaits = 'The clock of the box is not believed yet.';
export const ofTotal = (free, total) => `${free} free of ${total}`;
export const used = (share) => `${Math.round(share * 100)} % used`;
export const ahead = (seconds) => `${seconds} s different from this computer`;
export const doctor = 'Doctor';
export const doctorWell = 'All checks are well.';
export const doctorBad = (n) => `${plural(n, 'check')} found something.`;
export const doctorMore = (n) => `${plural(n, 'more check')} ${n === 1 ? 'is' : 'are'} well. “smsrack doctor” on the box lists all.`;
export const ok = 'OK';
export const found = 'Found';
export const config = 'Effective configuration';
export const configLead = (file) => `Read from ${file}; the rest has its defaults. Secrets are masked.`;
export const audit = 'Audit';
export const auditLead = 'What administrators did.';
export const noAudit = 'Nothing was done yet.';
export const log = 'Log';
export const logLead = 'Without numbers and texts.';
export const noLog = 'The log is empty.';
export const levels = {error: ['Error', 'bad'], warn: ['Warning', 'warn'], info: ['Info', 'off'], debug: ['Debug', 'off'], trace: ['Trace', 'off']};
export const col = {at: 'Time', caller: 'Who', call: 'Call', status: 'Result', level: 'Level', event: 'Event', fields: 'Fields'};
export const sections = {overview: 'Overview', config: 'Configuration', audit: 'Audit', log: 'Log'};
export const sectionsName = 'Parts of this screen';

import {plural} from '../plural.js';

export const lead = (n, min, max) => `${plural(n, 'modem')} in work; between ${min} and ${max} may be.`;
export const off = 'Scaling is switched off: all modems work all the time.';
export const offHow = 'With “enabled = true” in [scaling], modems that the load does not need are parked.';
export const offCommand = 'man smsrack.toml';
export const figures = {n: 'in work', y: 'wanted', load: 'messages per second', nodeRate: 'of one modem, per second', forecast: 'expected per second', parked: 'parked', ready: 'the next one is ready in'};
export const over = 'Modems in work';
export const overText = (first, last) => `From ${first} to ${last} modems over the decisions below.`;
export const nowEnd = 'now';
export const decisions = 'Decisions';
export const noDecisions = 'Nothing was decided since the service started.';
export const col = {at: 'Time', change: 'Modems', why: 'Why', modem: 'Modem', load: 'Load'};
export const change = (before, after) => (before === after ? String(after) : `${before} → ${after}`);
export const perSecond = (rate) => `${rate}/s`;

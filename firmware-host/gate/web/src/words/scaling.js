import {plural} from '../plural.js';

export const scaling = {
    lead: (n, min, max) => `${plural(n, 'modem')} in work; between ${min} and ${max} may be.`,
    off: 'Scaling is switched off: all modems work all the time.',
    offHow: 'With “enabled = true” in [scaling] of the configuration, modems that the load does not need are parked, which spares SIMs and power.',
    offCommand: 'man smsrack.toml',
    figures: {n: 'in work', y: 'wanted', load: 'messages per second', nodeRate: 'of one modem, per second', forecast: 'expected per second', parked: 'parked', ready: 'the next one is ready in'},
    over: 'Modems in work',
    overText: (first, last) => `From ${first} to ${last} modems over the decisions below.`,
    nowEnd: 'now',
    decisions: 'Decisions',
    noDecisions: 'Nothing was decided since the service started.',
    arrivals: 'Arrivals',
    col: {at: 'Time', change: 'Modems', why: 'Why', modem: 'Modem', load: 'Load', rules: 'Rules'},
    change: (before, after) => (before === after ? String(after) : `${before} → ${after}`),
    perSecond: (rate) => `${rate}/s`,
};

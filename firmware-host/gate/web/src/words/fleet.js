export const fleet = 'Fleet';
export const boxes = 'Boxes of the fleet';
export const self = '(this box)';
export const facts = {name: 'This box', kept: 'A new message is on', away: 'Engine', waiting: 'Waiting for a box', keptHere: 'On this box only'};
export const kept = {cluster: 'two engine disks', one_disk: 'one engine disk', here: 'this box only'};
export const away = (time, why) => `does not answer for ${time}${why ? `: ${why}` : ''}`;
export const states = {running: 'Running', silent: 'Silent', draining: 'Draining', parked: 'Parked', dead: 'Dead', left: 'Has left'};
export const col = {name: 'Box', state: 'State', site: 'Site', version: 'Version', modems: 'Modems', rate: 'Messages/s', held: 'Held', firm: 'Firm'};

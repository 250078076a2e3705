/** Texts of the screen Send. */

export const title = 'Send';
export const one = 'One message';
export const many = 'Many, from a file';
export const to = 'To';
export const text = 'Text';
export const level = 'Level';
export const levelHow = 'Higher leaves first.';
export const byDefault = 'As configured';
export const when = 'Not before';
export const whenHow = 'Empty: now. In the time zone of this browser.';
export const batch = 'Batch';
export const batchHow = 'A label to count, pause or cancel by: letters, digits, _ . : -';
export const more = 'More';
export const action = 'Send';
export const another = 'Send another';
export const accepted = 'Accepted: it is on disk and will be sent.';
export const sentTo = (to) => `To ${to}`;
export const expected = 'The network should have it at';
export const show = 'Show its story';
export const what = 'What would happen';
export const typeFirst = 'Type a number and a text to see how many segments it takes, and when it would leave.';
export const facts = {size: 'Size', route: 'Route', level: 'Level', expires: 'Expires', wait: 'Leaves', now: 'as soon as a modem is free'};

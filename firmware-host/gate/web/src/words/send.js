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
export const file = {
    drop: 'Drop a CSV file here, or choose one',
    choose: 'Choose a file',
    how: 'A line for each message. The first line may name the columns: to, text, priority, ref, not_before, batch, group. Without names the first column is the number and the second the text.',
    example: 'to,text\n+33612345678,"Your parcel is here."\n+33687654321,"The lift is repaired."',
    template: 'Text for lines without one',
    templateHow: 'A column in braces is replaced, such as {name}.',
    tooBig: (n) => `At most ${n} lines at once. Split the file.`,
    tooLarge: (size) => `The file is larger than ${size}. Split it.`,
    empty: 'There is no line in this file.',
    noNumber: 'No column has the numbers: name one “to”.',
    lines: (n) => `${n} in the file`,
    checking: (done, all) => `Checking line ${done} of ${all} …`,
    check: 'Check the lines',
    stop: 'Stop',
    good: 'will be sent',
    bad: 'will not be sent',
    repeated: 'repeated',
    segments: 'segments',
    caption: 'Lines that will not be sent, and why',
    columns: {line: 'Line', to: 'To', why: 'Why'},
    same: (line) => `The same number and text as line ${line}.`,
    noTo: 'No number.',
    noText: 'No text.',
    allBad: 'No line can be sent. Correct the file and choose it again.',
    action: (n) => `Send ${n}`,
    ask: (n) => `Send ${n}?`,
    askDetail: (segments, bad) => `They take ${segments}.${bad > 0 ? ` ${bad} are left out.` : ''} Each is sent once, also if this page has to try again.`,
    doIt: 'Send them',
    other: 'Another file',
    sending: (done, all) => `${done} of ${all} accepted`,
    full: (seconds) => `The rack takes no more at the moment. It continues in ${seconds} s.`,
    lost: (seconds) => `No answer from the rack. It tries again in ${seconds} s; nothing is sent twice.`,
    done: 'All lines are accepted.',
    doneBad: (n) => `${n} were refused.`,
    stopped: 'Stopped. What was accepted is being sent.',
    batchLink: 'Show the batch',
    progress: 'Progress of the batch',
};

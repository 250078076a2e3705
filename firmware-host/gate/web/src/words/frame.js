/** Texts of the frame, and those that several screens share. */
export const frame = {
    product: 'smsrack',
    titles: {
        modems: 'Modems', messages: 'Messages', message: 'Message', inbox: 'Inbox', send: 'Send', batches: 'Batches', triggers: 'Triggers', scaling: 'Scaling',
        programs: 'Programs', box: 'Box',
    },
    none: '–',
    justNow: 'just now',
    ago: (time) => `${time} ago`,
    since: 'since',
    skip: 'Skip to the content',
    navigation: 'Screens',
    more: 'More',
    help: 'Keys',
    search: 'Search messages',
    searchShort: 'Number or part of it',
    account: (name, role) => `Logged in as ${name} (${role})`,
    logout: 'Log out',
    stillIn: 'You are still logged in.',
    loading: 'Loading …',
    deed: 'Action',
    notes: 'Notes',
    connection: 'Connection',
    selectAll: 'Select all',
    select: (name) => `Select ${name}`,
    retry: 'Try again',
    close: 'Close',
    back: 'Back',
    notThere: 'There is no such screen.',
    notThereAdvice: 'The address may be mistyped.',
    yes: 'yes',
    no: 'no',
    showMore: 'Show more',
    shown: (shown, total) => (total === null ? `The first ${shown} are shown; there are more.` : `${shown} of ${total} are shown.`),
    theme: {label: 'Colours', system: 'As the system', light: 'Light', dark: 'Dark'},
    lost: {
        silent: (time) => `No answer from the rack since ${time}. The figures are from then. This page tries again by itself.`,
        stream: (time) => `The connection is lost since ${time}. The figures may be old. This page tries again by itself.`,
        back: 'The connection is back. All is up to date.',
    },
    typeToConfirm: (name) => `This is a lot. Type ${name} to confirm.`,
    done: 'Done.',
    keys: {
        title: 'Keys',
        on: 'Use these keys',
        rows: [
            ['/', 'Search messages'],
            ['g n', 'Now'],
            ['g m', 'Messages'],
            ['g d', 'Modems'],
            ['g i', 'Inbox'],
            ['j  k', 'Next row, previous row'],
            ['Enter', 'Open the row'],
            ['Esc', 'Close'],
            ['?', 'These keys'],
        ],
    },
};

const busy = 'The rack has more work than it can send. Wait a moment and try again.';

/** What refusals mean, and what to do. `code` is the one of docs/api.md. */
export const errors = {
    silent: 'The rack does not answer.',
    heading: 'This did not work',
    code: 'Code',
    needsRole: (role) => `This needs the role ${role}.`,
    newVersion: 'A part of this page could not be read.',
    newVersionAdvice: 'The box may have been upgraded. Read the page again.',
    notHere: 'This is not available.',
    notFound: 'It is not there.',
    advice: {
        any: 'Try again. If it stays so, look at the screen Box, or run “smsrack doctor” on the box.',
        no_answer: 'Check the network. On the box, run “smsrack status”.',
        forbidden: 'Ask an administrator, or log in with a token of another role.',
        not_found: 'It may have been removed since. Go back and look at the list.',
        conflict: 'Look at its present state; it has moved on.',
        overloaded: busy,
        queue_full: busy,
        cluster_away: 'The boxes of the fleet have no connection to their database. Look at “smsrack cluster check” on the box.',
        outcome_unknown: 'Look whether it was done before you try again.',
        storage: 'Free space on the disk of the box, or replace it.',
        duplicate: 'The same text went to this number a moment ago. Send it later, or allow duplicates.',
        bad_number: 'Write the number with its country, such as +33612345678.',
        bad_sender: 'Give the number of a SIM of the rack, or none.',
        too_long: 'Shorten the text, or split it into several messages.',
    },
};

/** Message states: the word, and what kind of sign they have. */
export const states = {
    scheduled: ['Scheduled', 'off'],
    queued: ['Queued', 'busy'],
    sending: ['Sending', 'busy'],
    uncertain: ['Uncertain', 'warn'],
    sent: ['Sent', 'ok'],
    delivered: ['Delivered', 'ok'],
    undelivered: ['Undelivered', 'bad'],
    failed: ['Failed', 'bad'],
    expired: ['Expired', 'warn'],
    cancelled: ['Cancelled', 'off'],
    elsewhere: ['Elsewhere', 'busy'],
};

const small = (word) => word.charAt(0).toLowerCase() + word.slice(1);

/** States of modems, and what is left of their quotas. */
export const modem = {
    none: {
        all: (n, sign) => (n === 1 ? `the only modem has been ${small(sign)}` : `all ${n} modems have been ${small(sign)}`),
        of: (n, parts) => `of ${n} modems ${parts},`,
        some: (n, sign) => `${n} ${n === 1 ? 'is' : 'are'} ${small(sign)}`,
    },
    advice: {
        absent: 'Check the power and the cables of the modems.', starting: 'After a start, modems need up to a minute.', simWait: 'Insert working SIMs, or clean their contacts.',
        registering: 'Check the antenna, and whether the operator’s network is there.', cooling: 'The network refused several messages: wait, and check the SIMs.',
        failed: 'Switch the modems off and on.', parked: 'Resume modems on the screen Modems.', draining: 'Resume modems on the screen Modems.',
        blocked: 'Resume modems on the screen Modems.', quota: 'Wait for the next day or month, raise the quota, or add SIMs.', silent: 'Reset the modems on the screen Modems.',
    },
    signs: {
        ready: 'Ready', sending: 'Sending', absent: 'Absent', starting: 'Starting', simWait: 'Without SIM', registering: 'Unregistered',
        cooling: 'Cooling down', failed: 'Out of service', parked: 'Parked', draining: 'Draining', blocked: 'Drained', quota: 'Out of quota', silent: 'Silent',
    },
    left: (value, window) => (window === 'recipients' ? `${value.toLocaleString('en')} recipients left` : `${value.toLocaleString('en')} left this ${window}`),
};

/** Many messages from a file: each line is checked before anything is sent; then each is sent once. */
import {ApiError, post} from './api.js';
import {parseCsv} from './csv.js';
import * as t from './words/send_file.js';

export const LINES_MAX = 50_000;
export const OCTETS_MAX = 16 * 1024 * 1024;
const CHECKED_AT_ONCE = 6;
const SENT_AT_ONCE = 250; // lines of one call: so a stop or a refusal takes effect soon
const PAUSE_S = 5;

const known = {
    to: ['to', 'number', 'phone', 'recipient', 'mobile', 'msisdn', 'tel', 'telephone'],
    text: ['text', 'message', 'body', 'sms'],
    priority: ['priority', 'level'],
    ref: ['ref', 'reference'],
    not_before: ['not_before', 'when', 'time'],
    batch: ['batch'],
    group: ['group'],
};
const looksLikeNumber = (cell) => /^\+?[0-9 ().\-/]{3,24}$/.test(cell ?? '');

/** Which column is what: {to: 0, text: 1, ...}, and the names of all columns if the first line has them. */
function columnsOf(first) {
    const names = first.map((cell) => cell.toLowerCase());
    const at = {};
    for (const [member, words] of Object.entries(known)) {
        const found = names.findIndex((name) => words.includes(name));
        if (found >= 0) at[member] = found;
    }
    if (at.to !== undefined) return {at, names};
    return looksLikeNumber(first[0]) ? {at: {to: 0, ...(first.length > 1 && {text: 1})}, names: null} : {at: {}, names};
}

/** {lines: [{line, cells}], at, names, tooMany} of a file's text. */
export function readLines(text) {
    const rows = parseCsv(text, LINES_MAX + 2);
    if (rows.length === 0) return {lines: [], at: {}, names: null, tooMany: false};
    const {at, names} = columnsOf(rows[0].cells);
    const lines = names ? rows.slice(1) : rows;
    return {lines: lines.slice(0, LINES_MAX), at, names, tooMany: lines.length > LINES_MAX};
}

function filled(template, names, cells) {
    return template.replace(/\{([^{}]+)\}/g, (whole, name) => {
        const found = names?.indexOf(name.trim().toLowerCase()) ?? -1;
        return found >= 0 ? cells[found] ?? '' : whole;
    });
}

/** The message of a line; `options` are for all lines: {template, priority, not_before, batch, group}. */
export function messageOf({line, cells}, {at, names}, options) {
    const cell = (member) => (at[member] === undefined ? '' : cells[at[member]] ?? '');
    const to = cell('to');
    const message = {to: /^[0-9+ ().\-/]+$/.test(to) ? to.replace(/[ ().\-/]/g, '') : to, text: cell('text') || filled(options.template ?? '', names, cells)};
    const level = cell('priority');
    if (level !== '') message.priority = Number(level);
    else if (options.priority !== undefined) message.priority = options.priority;
    for (const member of ['batch', 'group', 'not_before']) {
        const value = cell(member) || options[member];
        if (value) message[member] = value;
    }
    message.ref = cell('ref') || `${options.key}-${line}`;
    return message;
}

const problemText = (error) => (error instanceof ApiError ? error.message : String(error));

/**
 * Checks each line at the rack, which sends nothing. `progress` gets how many are done. Gives
 * {good: [{line, message, segments}], bad: [{line, to, why}], repeated}.
 */
export async function checkLines(file, options, progress, abort) {
    const result = {good: [], bad: [], repeated: 0};
    const before = new Map(); // number and text -> line
    let next = 0;
    let done = 0;
    const check = async (row) => {
        const message = messageOf(row, file, options);
        const refuse = (why) => result.bad.push({line: row.line, to: message.to, why});
        if (!message.to) return refuse(t.noTo);
        if (!message.text) return refuse(t.noText);
        const same = `${message.to}\n${message.text}`;
        if (before.has(same)) {
            result.repeated++;
            return refuse(t.same(before.get(same)));
        }
        before.set(same, row.line);
        try {
            const {ref, ...shown} = message; // a look at a reference is not asked for
            const answer = await post('v1/preview', shown, {signal: abort});
            if (answer.refused) return refuse(answer.why_not_now ?? answer.why);
            return result.good.push({line: row.line, message, segments: answer.segments});
        } catch (error) {
            if (error.name === 'AbortError' || error.status === 401 || error.status === 0) throw error;
            return refuse(problemText(error));
        }
    };
    const worker = async () => {
        while (next < file.lines.length) {
            abort.throwIfAborted();
            await check(file.lines[next++]);
            progress(++done);
        }
    };
    await Promise.all(Array.from({length: CHECKED_AT_ONCE}, worker));
    result.good.sort((a, b) => a.line - b.line);
    result.bad.sort((a, b) => a.line - b.line);
    return result;
}

const wait = (seconds, abort) => new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    abort.addEventListener('abort', () => { clearTimeout(timer); resolve(); });
});

/**
 * Sends the good lines, each once: a line has a reference, so that a second try makes no second
 * message. What the rack takes later is tried again later. `tell` gets {accepted, refused, waits};
 * `waits` is null or {kind, seconds}.
 */
export async function sendLines(good, tell, abort) {
    const state = {accepted: 0, refused: [], waits: null};
    let left = [...good];
    while (left.length > 0 && !abort.aborted) {
        const part = left.slice(0, SENT_AT_ONCE);
        let later = [];
        let pause = null;
        try {
            const answers = await post('v1/messages', part.map(({message}) => JSON.stringify(message)).join('\n') + '\n', {type: 'application/x-ndjson'});
            for (const [at, one] of part.entries()) {
                const answer = answers[at];
                if (answer?.id) state.accepted++;
                else if (answer === undefined || answer.error?.status === 503 || answer.error?.status === 507) {
                    later.push(one);
                    pause ??= {kind: 'full', seconds: Math.min(60, answer?.error?.retry_after_s ?? PAUSE_S)};
                } else state.refused.push({line: one.line, to: one.message.to, why: answer.error.detail ?? answer.error.title});
            }
        } catch (error) {
            if (error.status === 401 || error.status === 403) throw error;
            if (error.status >= 400 && error.status < 500) throw error;
            later = part;
            pause = {kind: error.status === 503 ? 'full' : 'lost', seconds: Math.min(60, error.retryAfterS ?? PAUSE_S)};
        }
        left = [...later, ...left.slice(part.length)];
        tell({...state, refused: [...state.refused], waits: pause});
        if (pause) await wait(pause.seconds, abort);
    }
    return {...state, stopped: left.length > 0};
}

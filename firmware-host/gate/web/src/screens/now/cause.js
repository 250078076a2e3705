/** Failed messages by cause, as a table. */
import {get} from '../../api.js';
import {Advice, Ago, Table} from '../../components/index.js';
import {count} from '../../format.js';
import {sentence} from '../../headline.js';
import {html, useEffect, useState} from '../../html.js';
import {words} from '../../words/index.js';
import * as w from '../../words/now_details.js';

const CAUSES_MAX = 10;

/** Rows of one cause each: {code, state, count, newest}, the most frequent first. */
export function byCause(messages) {
    const causes = new Map();
    for (const message of messages) {
        const key = `${message.state} ${message.code}`;
        const cause = causes.get(key) ?? {key, code: message.code, state: message.state, count: 0, newest: message};
        cause.count++;
        if (message.updated_at > cause.newest.updated_at) cause.newest = message;
        causes.set(key, cause);
    }
    return [...causes.values()].sort((a, b) => b.count - a.count).slice(0, CAUSES_MAX);
}

/**
 * What a code means, and what to do. The story of a message has it: the last thing in it that comes
 * with advice, such as "... refused with +CMS ERROR 28: unidentified subscriber. That is final".
 */
export function meaningOf(story) {
    const told = story.findLast((one) => one.advice) ?? story.at(-1);
    const meaning = told?.what.match(/: ([^.:]+)\./)?.[1] ?? told?.what;
    return meaning ? {meaning: sentence(meaning), advice: told.advice} : null;
}

function useMeaning(id) {
    const [said, setSaid] = useState(null);
    useEffect(() => {
        let here = true;
        get(`v1/messages/${id}/explain`).then(({story}) => here && setSaid(meaningOf(story))).catch(() => {});
        return () => {
            here = false;
        };
    }, [id]);
    return said;
}

/** A cause in words; below it the state, the code and the advice. */
function Cause({of}) {
    const said = useMeaning(of.newest.id);
    return html`<span>${said?.meaning ?? of.code ?? w.noCode}</span><br />
        <small class="muted">${words.states[of.state][0]} · <code>${of.code ?? w.noCode}</code>${said?.advice && html` · <${Advice} text=${said.advice} />`}</small>`;
}

const columns = [
    {head: w.failed1, cell: (row) => html`<${Cause} of=${row} />`},
    {head: w.failedCount, end: true, cell: (row) => count(row.count)},
    {head: w.failedLast, end: true, cell: (row) => html`<${Ago} at=${row.newest.updated_at} />`},
];

export const Causes = ({caption, messages}) => html`
    <${Table} caption=${caption} columns=${columns} rows=${byCause(messages)} keyOf=${(row) => row.key} to=${(row) => `/messages/${row.newest.id}`} />`;

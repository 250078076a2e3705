/** Failed messages by cause. */
import {get} from '../../api.js';
import {html, useEffect, useState} from '../../html.js';
import {words} from '../../words/index.js';
import {nowDetails as w} from '../../words/now_details.js';

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

/** What a code means comes from the story of the newest message that has it. */
function useMeaning(id) {
    const [text, setText] = useState(null);
    useEffect(() => {
        let here = true;
        get(`v1/messages/${id}/explain`).then(({story}) => here && setText(story.at(-1)?.what ?? null)).catch(() => {});
        return () => {
            here = false;
        };
    }, [id]);
    return text;
}

/** A cause in words; below it the state and the code. */
export function Cause({of}) {
    const meaning = useMeaning(of.newest.id);
    return html`<span>${meaning ?? of.code ?? w.noCode}</span><br /><small class="muted">${words.states[of.state][0]} <code>${of.code ?? ''}</code></small>`;
}

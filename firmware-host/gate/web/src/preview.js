/** What would happen to a message, asked while one types: segments, alphabet, and why not now. */
import {post} from './api.js';
import {html, useEffect, useState} from './html.js';
import {plural} from './plural.js';
import * as t from './words/preview.js';

const QUIET_MS = 250;

/** {answer, error} of the newest state of `message`; both undefined while nothing is typed. */
export function usePreview(message) {
    const [found, setFound] = useState({});
    const body = JSON.stringify(message);
    useEffect(() => {
        if (!message.to || !message.text) {
            setFound({});
            return undefined;
        }
        const abort = new AbortController();
        const timer = setTimeout(async () => {
            try {
                setFound({of: body, answer: await post('v1/preview', message, {signal: abort.signal})});
            } catch (error) {
                if (error.name !== 'AbortError') setFound({of: body, error});
            }
        }, QUIET_MS);
        return () => {
            clearTimeout(timer);
            abort.abort();
        };
    }, [body]);
    return found;
}

const alphabetOf = (answer) => t.alphabet[answer.encoding] ?? answer.encoding;

/** "1 segment · GSM 7-bit · 12 of 160 characters". The room is that of all its segments. */
export const sizeText = (answer) => [plural(answer.segments, 'segment'), alphabetOf(answer),
    t.characters(answer.units, answer.units_per_segment * answer.segments)].join(' · ');

/** The line below a text field. It is not read at each letter: who wants to know goes to it. */
export function Size({of, id}) {
    const {answer, error} = of;
    if (error) return html`<p id=${id} class="size is-bad">${error.message}</p>`;
    if (!answer) return html`<p id=${id} class="size muted"> </p>`;
    return html`<p id=${id} class="size"><span class="muted">${sizeText(answer)}</span>
        ${answer.why_not_now && html` <span class=${answer.refused ? 'is-bad' : 'is-warn'}>${answer.why_not_now}</span>`}</p>`;
}

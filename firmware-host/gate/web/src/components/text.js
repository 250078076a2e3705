/** Texts and numbers of people: data, shown as the characters that they have. */
import {html, useState} from '../html.js';
import {words} from '../words/index.js';
import * as t from '../words/text.js';

// Controls, and what changes the direction or the look of what follows. Tab and line feed stay.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const CLIPPED_AT = 1200; // a text of 10,000 characters does not push everything else away

const nameOf = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A text as parts: what one sees, and the names of characters that one would not see. */
export function visibleParts(text) {
    const parts = [];
    let from = 0;
    for (const found of text.matchAll(hidden)) {
        if (found.index > from) parts.push({seen: text.slice(from, found.index)});
        parts.push({name: nameOf(found[0])});
        from = found.index + found[0].length;
    }
    if (from < text.length) parts.push({seen: text.slice(from)});
    return parts;
}

const Parts = ({text}) => visibleParts(text).map((part, at) =>
    part.name ? html`<span key=${at} class="codepoint" title=${t.hidden}>${part.name}</span>` : part.seen);

/** A whole text; a very long one can be opened. */
export function Text({text}) {
    const [open, setOpen] = useState(false);
    if (text === null || text === undefined) return html`<span class="muted">${t.none}</span>`;
    const clipped = !open && text.length > CLIPPED_AT;
    return html`<bdi class="text" dir="auto"><${Parts} text=${clipped ? text.slice(0, CLIPPED_AT) : text} />${clipped && '…'}</bdi>
        ${clipped && html` <button type="button" class="plain small" onClick=${() => setOpen(true)}>${t.all(text.length)}</button>`}`;
}

/** The beginning of a text, in one line. */
export const Snippet = ({text, data}) => html`<bdi class="snippet" dir="auto">${
    typeof text === 'string' ? html`<${Parts} text=${text.slice(0, 160).replaceAll('\n', ' ')} />` : data ? t.octets(data.length / 2) : ''}</bdi>`;

/** The content of a message: its text, or its octets in hexadecimal. */
export const Content = ({of}) => {
    if (typeof of.text === 'string') return html`<${Text} text=${of.text} />`;
    if (of.data) return html`<span class="octets"><span class="muted">${t.octets(of.data.length / 2)}</span> <code>${of.data}</code></span>`;
    return html`<span class="muted">${t.none}</span>`;
};

/** A number of a person, or the name of a sender. A number is a link that calls it. */
export const Number = ({of, call}) => (call && /^\+?[0-9]{3,15}$/.test(of)
    ? html`<a class="number" href=${`tel:${of}`}>${of}</a>`
    : html`<bdi class="number"><${Parts} text=${of ?? words.none} /></bdi>`);

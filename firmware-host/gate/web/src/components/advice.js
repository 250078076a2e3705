/** Sentences of the service. What it puts between backquotes is a command. */
import {html} from '../html.js';
import {sentence} from '../headline.js';

export function Advice({text}) {
    if (!text) return null;
    return html`${sentence(text).split('`').map((part, at) => (at % 2 === 1 ? html`<code key=${at}>${part}</code>` : part))}`;
}

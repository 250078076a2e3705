/** Sentences of the service. What it puts between backquotes is a command; a time in UTC becomes one of the browser's zone. */
import {html} from '../html.js';
import {sentence} from '../headline.js';
import {Time} from './time.js';

export function Advice({text}) {
    if (!text) return null;
    const parts = sentence(text).split(/`([^`]*)`|(\d{4}-\d\d-\d\dT[\d:.]+Z)/);
    return parts.map((part, at) => part && [part, html`<code key=${at}>${part}</code>`, html`<${Time} key=${at} at=${part} seconds />`][at % 3]);
}

/** What the screen Send asks for one message and for many alike. */
import {html} from '../html.js';
import * as t from '../words/send.js';

/** The name of one try: the rack takes the same name twice as one message. */
export const newKey = () => `page-${Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('')}`;

/** As the API wants them; what is empty is left out. */
export const optionsOf = ({priority, when, batch}) => ({
    ...(priority && {priority: parseInt(priority, 10)}),
    ...(when && {not_before: new Date(when).toISOString()}),
    ...(batch?.trim() && {batch: batch.trim()}),
});

export const Level = ({of, set}) => html`<label class="field"><span>${t.level}</span>
    <select value=${of.priority ?? ''} onChange=${(event) => set({...of, priority: event.target.value})}>
        <option value="">${t.byDefault}</option>${[6, 5, 4, 3, 2, 1, 0].map((n) => html`<option key=${n} value=${String(n)}>${n}</option>`)}
    </select><small class="muted">${t.levelHow}</small></label>`;

export const When = ({of, set}) => html`<label class="field"><span>${t.when}</span>
    <input type="datetime-local" value=${of.when ?? ''} onInput=${(event) => set({...of, when: event.target.value})} /><small class="muted">${t.whenHow}</small></label>`;

export const BatchName = ({of, set, required}) => html`<label class="field"><span>${t.batch}</span>
    <input type="text" autocomplete="off" spellcheck="false" maxlength="64" pattern="[A-Za-z0-9_.:\\-]+" required=${required} value=${of.batch ?? ''}
        onInput=${(event) => set({...of, batch: event.target.value})} /><small class="muted">${t.batchHow}</small></label>`;

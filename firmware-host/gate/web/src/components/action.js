/** Buttons that change something: once for each click or double click, and the page says what happened. */
import {sentence} from '../headline.js';
import {html, useRef, useState} from '../html.js';
import {resyncAll} from '../live.js';
import {toast} from './toast.js';
import {confirm} from './dialog.js';
import {words} from '../words/index.js';

/**
 * A function that runs `what` once at a time, and then says `done` (a text, or a function of the
 * result) or the error. Gives [run, busy].
 */
export function useAction(what, {done = words.done, ask} = {}) {
    const [busy, setBusy] = useState(false);
    const running = useRef(false);
    async function run(...values) {
        if (running.current) return undefined;
        running.current = true;
        try {
            if (ask && !(await confirm(typeof ask === 'function' ? ask(...values) : ask))) return undefined;
            setBusy(true);
            const result = await what(...values);
            const said = typeof done === 'function' ? done(result, ...values) : done;
            if (said) toast(said, 'ok');
            resyncAll(); // not every change has an event
            return result;
        } catch (error) {
            if (error.name !== 'AbortError') toast(`${sentence(error.message).replace(/\.?$/, '.')} ${error.advice ?? ''}`, 'bad');
            return undefined;
        } finally {
            running.current = false;
            setBusy(false);
        }
    }
    return [run, busy];
}

/** A button that does `run`; asks first if `ask` is given (see `confirm`). */
export function Action({run, done, ask, kind, children, disabled, label}) {
    const [start, busy] = useAction(run, {done, ask});
    return html`<button type="button" class=${kind} disabled=${busy || disabled} aria-busy=${busy} aria-label=${label} onClick=${() => start()}>${children}</button>`;
}


/** Dialogs. The focus returns to where it was. */
import {html, signal, useEffect, useRef, useState} from '../html.js';
import {words} from '../words/index.js';

/** A modal dialog; Escape and a click beside it close it. */
export function Dialog({title, onClose, children}) {
    const element = useRef(null);
    useEffect(() => {
        const before = document.activeElement;
        element.current.showModal();
        const dialog = element.current;
        return () => {
            dialog.close(); // while it is open, nothing outside of it takes the focus
            if (before?.isConnected) before.focus();
        };
    }, []);
    return html`
        <dialog ref=${element} aria-labelledby="dialog-title"
            onCancel=${(event) => { event.preventDefault(); onClose(); }}
            onMouseDown=${(event) => event.target === element.current && onClose()}>
            <div class="dialog-body">
                <header><h2 id="dialog-title">${title}</h2>
                    <button type="button" class="plain icon" aria-label=${words.close} onClick=${onClose}>✕</button></header>
                ${children}
            </div>
        </dialog>`;
}

const question = signal(null);
const TYPED_ABOVE = 1000;

/**
 * Asks before something dangerous. `effect` says what will happen, with numbers: "Cancel 4,210 waiting
 * messages?". If `size` is above 1,000 the operator must type `name`. Resolves to true or false.
 */
export const confirm = ({effect, detail, action, danger = true, size = 0, name}) =>
    new Promise((resolve) => {
        question.value = {effect, detail, action, danger, typed: size > TYPED_ABOVE ? name : null, resolve};
    });

/** Shows the question of `confirm`. Once in the frame. */
export function ConfirmHost() {
    const asked = question.value;
    return asked && html`<${Question} key=${asked.effect} asked=${asked} />`;
}

function Question({asked}) {
    const [typed, setTyped] = useState('');
    const answer = (yes) => {
        question.value = null;
        asked.resolve(yes);
    };
    const ready = asked.typed === null || typed.trim() === String(asked.typed);
    return html`
        <${Dialog} title=${asked.effect} onClose=${() => answer(false)}>
            <form method="dialog" onSubmit=${(event) => { event.preventDefault(); if (ready) answer(true); }}>
                ${asked.detail && html`<p>${asked.detail}</p>`}
                ${asked.typed !== null && html`<label class="field"><span>${words.typeToConfirm(asked.typed)}</span>
                    <input type="text" autocomplete="off" value=${typed} onInput=${(event) => setTyped(event.target.value)} /></label>`}
                <div class="actions">
                    <button type="button" autofocus onClick=${() => answer(false)}>${words.back}</button>
                    <button type="submit" class=${asked.danger ? 'danger' : 'primary'} disabled=${!ready}>${asked.action}</button>
                </div>
            </form>
        <//>`;
}


/** Sends one message, or many from a file. */
import {post} from '../api.js';
import {Card, Facts, Link, Page, Time, useAction} from '../components/index.js';
import {Number} from '../components/text.js';
import {html, useRef, useState} from '../html.js';
import {Size, sizeText, usePreview} from '../preview.js';
import {place, setQuery} from '../router.js';
import {words} from '../words/index.js';
import * as t from '../words/send.js';
import {FromFile} from './send_file.js';
import {BatchName, Level, When, newKey, optionsOf} from './send_options.js';


function WhatWouldHappen({of, typed}) {
    const {answer, error} = of;
    if (!typed || (!answer && !error)) return html`<p class="muted">${t.typeFirst}</p>`;
    if (error) return html`<div class="notice is-bad"><p>${error.message}</p><p class="muted">${error.advice}</p></div>`;
    return html`
        ${answer.why_not_now && html`<p class=${`notice ${answer.refused ? 'is-bad' : 'is-warn'}`}>${answer.why_not_now}</p>`}
        <${Facts} of=${[
            [t.facts.size, sizeText(answer)],
            [t.facts.route, `${answer.group} (${answer.why_group})`],
            [t.facts.level, answer.priority],
            [t.facts.wait, answer.wait_until ? html`<${Time} at=${answer.wait_until} />` : answer.why ? null : t.facts.now],
            [t.facts.expires, html`<${Time} at=${answer.expires_at} />`],
        ]} />`;
}

const Accepted = ({of, again}) => html`
    <${Card}>
        <div class="notice is-ok" role="status"><h2>${t.accepted}</h2>
            <p>${t.sentTo('')}<${Number} of=${of.to} />${of.expected_at && html`. ${t.expected} <${Time} at=${of.expected_at} seconds />.`}</p>
            <p class="row"><${Link} class="button primary" to=${`/messages/${of.id}`}>${t.show}<//><button type="button" onClick=${again}>${t.another}</button></p></div>
    <//>`;

function One() {
    const query = place.value.query;
    const [message, setMessage] = useState({to: query.get('to') ?? '', text: ''});
    const [options, setOptions] = useState({});
    const [accepted, setAccepted] = useState(null);
    const key = useRef(newKey());
    const whole = {to: message.to.trim(), text: message.text, ...optionsOf(options)};
    const preview = usePreview(whole);
    const [send, busy] = useAction(async () => {
        const answer = await post('v1/messages', {...whole, ref: key.current});
        key.current = newKey();
        setAccepted({...answer, to: whole.to});
    }, {done: null});
    const change = (member) => (event) => {
        key.current = newKey();
        setMessage({...message, [member]: event.target.value});
    };
    const again = () => {
        setMessage({...message, to: ''});
        setAccepted(null);
    };
    if (accepted) return html`<${Accepted} of=${accepted} again=${again} />`;
    const ready = whole.to && whole.text && !preview.error;
    return html`
        <div class="columns is-even">
            <${Card}>
                <form class="form" onSubmit=${(event) => { event.preventDefault(); if (ready) send(); }}>
                    <label class="field"><span>${t.to}</span><input type="tel" autocomplete="off" required value=${message.to} onInput=${change('to')} placeholder="+33612345678" /></label>
                    <label class="field"><span>${t.text}</span><textarea rows="4" required value=${message.text} onInput=${change('text')} aria-describedby="size" /></label>
                    <${Size} id="size" of=${preview} />
                    <div class="form-row"><${Level} of=${options} set=${setOptions} /><${When} of=${options} set=${setOptions} /></div>
                    <details><summary>${t.more}</summary><div class="form-row"><${BatchName} of=${options} set=${setOptions} /></div></details>
                    <p class="row"><button type="submit" class="primary" disabled=${!ready || busy}>${t.action}</button></p>
                </form>
            <//>
            <${Card} title=${t.what}><${WhatWouldHappen} of=${preview} typed=${Boolean(whole.to && whole.text)} /><//>
        </div>`;
}

export function Send() {
    const many = place.value.query.get('from') === 'file';
    const tab = (on, from, text) => html`<button type="button" role="tab" aria-selected=${on} aria-controls="send-panel" class=${on ? 'tab is-on' : 'tab'} onClick=${() => setQuery({from})}>${text}</button>`;
    return html`
        <${Page} title=${t.title}>
            <div class="tabs" role="tablist" aria-label=${t.title}>${tab(!many, '', t.one)}${tab(many, 'file', t.many)}</div>
            <div id="send-panel" role="tabpanel" aria-label=${many ? t.many : t.one}>${many ? html`<${FromFile} />` : html`<${One} />`}</div>
        <//>`;
}

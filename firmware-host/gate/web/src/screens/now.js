/** Now: is the rack sending; if not, why and what to do. */
import {post} from '../api.js';
import {Advice} from '../components/advice.js';
import {Action} from '../components/action.js';
import {Shape} from '../components/badge.js';
import {Page} from '../components/page.js';
import {StateView} from '../components/state_view.js';
import {Time} from '../components/time.js';
import {count, decimal, duration} from '../format.js';
import {headline} from '../headline.js';
import {html} from '../html.js';
import {later} from '../later.js';
import {drawn, useResource} from '../resource.js';
import {can} from '../store.js';
import {words} from '../words/index.js';
import {Attention} from './now/attention.js';
import {Rack} from './now/rack.js';

const w = words.now;
const NowDetails = later('NowDetails');

export const resumeRack = () => post('v1/resume', {});

function Controls({status, waiting}) {
    if (!can('admin')) return null;
    const paused = status.pauses.some((pause) => pause.scope === 'rack');
    return html`<div class="row">
        ${paused
            ? html`<${Action} kind="primary" run=${resumeRack} done=${w.resumed}>${w.resume}<//>`
            : html`<${Action} run=${() => post('v1/pause', {})} done=${w.paused} ask=${() => ({effect: w.pauseAsk(waiting), detail: w.pauseDetail, action: w.pause})}>${w.pause}<//>`}
        <${Action} run=${() => post('v1/self-sms', {})} done=${(answer) => w.tested(answer.id)} ask=${{effect: w.testAsk, detail: w.testDetail, action: w.testDo, danger: false}}>${w.test}<//>
    </div>`;
}

function Figures({status}) {
    const figure = (name, value, strong) => html`<div class="figure" key=${name}><dt>${name}</dt><dd class=${strong ? 'is-warn' : undefined}>${value}</dd></div>`;
    const {messages} = status;
    return html`<dl class="figures">
        ${figure(w.figures.waiting, count(messages.queued + messages.sending))}
        ${figure(w.figures.oldest, duration(status.oldest_waiting_s))}
        ${figure(w.figures.out, decimal(status.rate_out * 60))}
        ${figure(w.figures.in, decimal(status.rate_in * 60))}
        ${messages.scheduled > 0 && figure(w.figures.scheduled, count(messages.scheduled))}
        ${messages.uncertain > 0 && figure(w.figures.uncertain, count(messages.uncertain), true)}
    </dl>`;
}

function Head({status}) {
    const modems = useResource(drawn.value ? 'v1/modems' : null, {gapMs: 1000});
    const said = headline(status, modems.data?.modems);
    return html`
        <section class=${`hero is-${said.kind}`}>
            <div class="hero-text">
                <p class="hero-line"><${Shape} kind=${said.kind} /><span><${Advice} text=${said.text} />${said.since && html`${w.sinceThen}<${Time} at=${said.since} />`}${said.kind === 'bad' && '.'}</span></p>
                ${(said.advice || said.kind === 'bad') && html`<p class="hero-more">
                    ${said.advice && html`<span><${Advice} text=${said.advice} /></span>`}
                    ${said.kind === 'bad' && html`<span>${w.queue(said.waiting)}</span>`}</p>`}
            </div>
            <${Controls} status=${status} waiting=${said.waiting} />
            <${Figures} status=${status} />
        </section>`;
}

function View() {
    const status = useResource('v1/status', {on: ['message.', 'modem.', 'service.', 'client.'], every: 1});
    return html`
        <${Page} title=${w.title} tab=${status.data && w.tab[headline(status.data).kind]}>
            <${StateView} of=${status}>${(data) => html`
                <${Head} status=${data} />
                ${drawn.value && html`<${Attention} status=${data} /><${Rack} /><${NowDetails} status=${data} />`}`}<//>
        <//>`;
}

export const nowScreen = {path: '/', title: w.title, View, nav: {icon: 'now', first: true}};

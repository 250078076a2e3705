/** Many messages from a CSV file: check, show the cost and what is wrong, ask, send, show the progress. */
import {Card, Link, Table, confirm, toast} from '../components/index.js';
import {Snippet} from '../components/text.js';
import {count, octets} from '../format.js';
import {html, useEffect, useRef, useState} from '../html.js';
import {plural} from '../plural.js';
import {LINES_MAX, OCTETS_MAX, checkLines, readLines, sendLines} from '../upload.js';
import {words} from '../words/index.js';
import * as t from '../words/send_file.js';
import {BatchProgress} from './batch_progress.js';
import {BatchName, Level, When, newKey, optionsOf} from './send_options.js';

const BAD_SHOWN = 100;

const today = () => new Date().toISOString().slice(0, 16).replace(/[-:T]/g, '');

function Drop({take}) {
    const [over, setOver] = useState(false);
    const field = useRef(null);
    const drop = (event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
    };
    return html`
        <div class=${over ? 'drop is-over' : 'drop'} onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)} onDrop=${drop}>
            <p><strong>${t.drop}</strong></p>
            <p class="muted">${t.how}</p>
            <pre class="command">${t.example}</pre>
            <input ref=${field} type="file" accept=".csv,.txt,.tsv,text/csv,text/plain" class="unseen" tabindex="-1" aria-label=${t.choose} onChange=${(event) => { if (event.target.files[0]) take(event.target.files[0]); event.target.value = ''; }} />
            <button type="button" class="primary" onClick=${() => field.current.click()}>${t.choose}</button>
        </div>`;
}

const Sums = ({of}) => html`<dl class="sums">${of.map(([name, value, kind]) => html`<div key=${name} class=${kind && value > 0 ? `is-${kind}` : undefined}><dd>${count(value)}</dd><dt>${name}</dt></div>`)}</dl>`;

const badColumns = [
    {head: t.columns.line, cell: (row) => count(row.line)},
    {head: t.columns.to, cell: (row) => html`<${Snippet} text=${String(row.to ?? '')} />`},
    {head: t.columns.why, cell: (row) => row.why},
];

const Bad = ({rows}) => rows.length > 0 && html`
    <${Card} title=${t.caption}><${Table} caption=${t.caption} columns=${badColumns} rows=${rows.slice(0, BAD_SHOWN)} keyOf=${(row) => row.line} />
        ${rows.length > BAD_SHOWN && html`<p class="muted">${words.shown(BAD_SHOWN, count(rows.length))}</p>`}<//>`;

const Bar = ({done, all, text}) => html`<div class="bar-line"><progress max=${all} value=${done} aria-label=${text} /><span class="muted">${text}</span></div>`;

/** Steps: null (no file), file, checking, checked, sending, done. */
export function FromFile() {
    const [file, setFile] = useState(null);
    const [options, setOptions] = useState({batch: `file-${today()}`});
    const [template, setTemplate] = useState('');
    const [step, setStep] = useState({name: 'none'});
    const abort = useRef(null);
    const key = useRef(newKey());
    useEffect(() => () => abort.current?.abort(), []);
    useEffect(() => {
        if (step.name !== 'sending') return undefined;
        const ask = (event) => event.preventDefault();
        addEventListener('beforeunload', ask);
        return () => removeEventListener('beforeunload', ask);
    }, [step.name]);

    async function take(chosen) {
        if (chosen.size > OCTETS_MAX) return toast(t.tooLarge(octets(OCTETS_MAX)), 'bad');
        const read = readLines(await chosen.text());
        if (read.lines.length === 0) return toast(t.empty, 'bad');
        if (read.tooMany) return toast(t.tooBig(count(LINES_MAX)), 'bad');
        if (read.at.to === undefined) return toast(t.noNumber, 'bad');
        key.current = newKey();
        setFile({...read, name: chosen.name});
        return setStep({name: 'file'});
    }

    async function check() {
        abort.current = new AbortController();
        setStep({name: 'checking', done: 0});
        let shownAt = 0;
        const progress = (done) => {
            if (performance.now() - shownAt < 100) return;
            shownAt = performance.now();
            setStep({name: 'checking', done});
        };
        try {
            const result = await checkLines(file, {template, key: key.current, ...optionsOf(options)}, progress, abort.current.signal);
            setStep({name: 'checked', result});
        } catch (error) {
            if (error.name !== 'AbortError') toast(error.message, 'bad');
            setStep({name: 'file'});
        }
    }

    async function send({good, bad}) {
        const segments = good.reduce((sum, one) => sum + one.segments, 0);
        const sure = await confirm({effect: t.ask(plural(good.length, 'message')), detail: t.askDetail(plural(segments, 'segment'), bad.length), action: t.doIt, danger: false, size: good.length, name: options.batch || String(good.length)});
        if (!sure) return;
        abort.current = new AbortController();
        setStep({name: 'sending', all: good.length, accepted: 0, refused: [], waits: null});
        try {
            const result = await sendLines(good, (state) => setStep({name: 'sending', all: good.length, ...state}), abort.current.signal);
            setStep({name: 'done', all: good.length, ...result});
        } catch (error) {
            toast(`${error.message} ${error.advice ?? ''}`, 'bad');
            setStep({name: 'checked', result: {good, bad, repeated: 0}});
        }
    }

    const restart = () => {
        abort.current?.abort();
        setFile(null);
        setStep({name: 'none'});
    };
    if (!file) return html`<${Card}><${Drop} take=${take} /><//>`;
    const lacksText = file.at.text === undefined || file.names !== null;
    const changed = (set) => (value) => { set(value); if (step.name === 'checked') setStep({name: 'file'}); };
    const editing = ['file', 'checked'].includes(step.name);
    const batch = options.batch?.trim();
    return html`
        <${Card} title=${file.name} aside=${t.lines(plural(file.lines.length, 'line'))}>
            ${editing && html`<form class="form" onSubmit=${(event) => { event.preventDefault(); check(); }}>
                ${lacksText && html`<label class="field"><span>${t.template}</span><textarea rows="2" required=${file.at.text === undefined} value=${template} onInput=${(event) => changed(setTemplate)(event.target.value)} /><small class="muted">${t.templateHow}${file.names && ` ${file.names.map((name) => `{${name}}`).join(' ')}`}</small></label>`}
                <div class="form-row"><${BatchName} of=${options} set=${changed(setOptions)} required /><${Level} of=${options} set=${changed(setOptions)} /><${When} of=${options} set=${changed(setOptions)} /></div>
                <p class="row">${step.name === 'file' && html`<button type="submit" class="primary">${t.check}</button>`}<button type="button" class="plain" onClick=${restart}>${t.other}</button></p>
            </form>`}
            ${step.name === 'checking' && html`<${Bar} done=${step.done} all=${file.lines.length} text=${t.checking(count(step.done), count(file.lines.length))} /><p class="row"><button type="button" onClick=${() => abort.current.abort()}>${t.stop}</button></p>`}
            ${step.name === 'checked' && html`
                <${Sums} of=${[[t.good, step.result.good.length], [t.segments, step.result.good.reduce((sum, one) => sum + one.segments, 0)], [t.bad, step.result.bad.length, 'bad'], [t.repeated, step.result.repeated, 'warn']]} />
                ${step.result.good.length === 0 ? html`<p class="notice is-bad">${t.allBad}</p>`
                    : html`<p class="row"><button type="button" class="primary" onClick=${() => send(step.result)}>${t.action(plural(step.result.good.length, 'message'))}</button></p>`}`}
            ${step.name === 'sending' && html`<${Bar} done=${step.accepted} all=${step.all} text=${t.sending(count(step.accepted), count(step.all))} />
                ${step.waits && html`<p class="notice is-warn">${(step.waits.kind === 'full' ? t.full : t.lost)(step.waits.seconds)}</p>`}
                <p class="row"><button type="button" onClick=${() => abort.current.abort()}>${t.stop}</button></p>`}
            ${step.name === 'done' && html`<div class=${`notice ${step.stopped || step.refused.length > 0 ? 'is-warn' : 'is-ok'}`} role="status"><p>${step.stopped ? t.stopped : t.done} ${t.sending(count(step.accepted), count(step.all))}.${step.refused.length > 0 && ` ${t.doneBad(plural(step.refused.length, 'line'))}`}</p></div>
                <p class="row">${batch && html`<${Link} class="button" to=${`/batches/${encodeURIComponent(batch)}`}>${t.batchLink}<//>`}<button type="button" onClick=${restart}>${t.other}</button></p>`}
        <//>
        ${['sending', 'done'].includes(step.name) && batch && step.accepted > 0 && html`<${Card} title=${t.progress}><${BatchProgress} name=${batch} /><//>`}
        <${Bad} rows=${step.result?.bad ?? step.refused ?? []} />`;
}

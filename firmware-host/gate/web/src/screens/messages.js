/** All messages, newest first and live, with filters in the address, and what can be done with several. */
import {del, get, post, withQuery} from '../api.js';
import {Empty, Link, More, Page, StateBadge, StateView, Table, Time, useAction} from '../components/index.js';
import {Number, Snippet} from '../components/text.js';
import {saveCsv} from '../csv.js';
import {html, useEffect, useRef, useState} from '../html.js';
import {watch} from '../live.js';
import {usePages} from '../pages.js';
import {plural} from '../plural.js';
import {place, setQuery} from '../router.js';
import {can} from '../store.js';
import {words} from '../words/index.js';
import * as t from '../words/messages.js';

const names = ['q', 'contains', 'state', 'level', 'batch', 'client', 'group', 'from', 'until'];
const behind = ['contains', 'level', 'batch', 'client', 'group', 'from', 'until']; // behind "More filters"
const waits = new Set(['scheduled', 'queued', 'sending']);
const ended = new Set(['sent', 'delivered', 'undelivered', 'failed', 'expired', 'cancelled']);
const mayHaveArrived = new Set(['sent', 'delivered']);
const PAGE = 50; // rows at once: the page stays below 3,000 nodes
const EXPORTED_MAX = 10_000;
const AT_ONCE = 4; // calls at a time: the rack has other work too

const filtersOf = (query) => Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']));

/** As the API calls them: times with their zone, the level as its priority. */
function queryOf({level, from, until, ...same}) {
    const time = (value) => value && new Date(value).toISOString();
    return {...same, priority: level, from: time(from), until: time(until), text: 'true'};
}

/** Changes the address a moment after the last letter, so that not each letter is a call. */
function Typed({name, label, value, type = 'text', search, placeholder}) {
    const timer = useRef(null);
    const [now, setNow] = useState(value);
    useEffect(() => setNow(value), [value]);
    useEffect(() => () => clearTimeout(timer.current), []);
    const change = (event) => {
        const text = event.target.value;
        setNow(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setQuery({[name]: text.trim()}), 250);
    };
    return html`<label class="field"><span>${label}</span>
        <input type=${type} value=${now} onInput=${change} placeholder=${placeholder} autocomplete="off" spellcheck="false"
            data-search=${search} step=${type === 'datetime-local' ? 1 : undefined} /></label>`;
}

const Choice = ({name, label, value, of}) => html`<label class="field"><span>${label}</span>
    <select value=${value} onChange=${(event) => setQuery({[name]: event.target.value})}>
        <option value="">${t.any}</option>${of.map(([key, word]) => html`<option key=${key} value=${key}>${word}</option>`)}
    </select></label>`;

function Filters({now}) {
    const used = behind.filter((name) => now[name] !== '').length;
    const [open, setOpen] = useState(used > 0);
    return html`
        <form class="filters" role="search" aria-label=${t.title} onSubmit=${(event) => event.preventDefault()}>
            <${Typed} name="q" label=${t.search} value=${now.q} type="search" search=${true} placeholder="0612…" />
            <${Choice} name="state" label=${t.fields.state} value=${now.state} of=${Object.entries(words.states).map(([key, [word]]) => [key, word])} />
            <button type="button" class="filters-more" aria-expanded=${open} onClick=${() => setOpen(!open)}>${used > 0 ? t.filtersOn(used) : t.filters}</button>
            ${names.some((name) => now[name] !== '') && html`<button type="button" class="plain filters-more"
                onClick=${() => setQuery(Object.fromEntries(names.map((name) => [name, ''])))}>${t.clear}</button>`}
            ${open && html`<div class="filters-row">
                <${Typed} name="contains" label=${t.fields.contains} value=${now.contains} />
                <${Choice} name="level" label=${t.fields.level} value=${now.level} of=${[6, 5, 4, 3, 2, 1, 0].map((n) => [String(n), String(n)])} />
                <${Typed} name="batch" label=${t.fields.batch} value=${now.batch} />
                <${Typed} name="client" label=${t.fields.client} value=${now.client} />
                <${Typed} name="group" label=${t.fields.group} value=${now.group} />
                <${Typed} name="from" label=${t.fields.from} value=${now.from} type="datetime-local" />
                <${Typed} name="until" label=${t.fields.until} value=${now.until} type="datetime-local" />
            </div>`}
        </form>`;
}

/** Rows as events say that they are by now, between two reads of the list. */
function useNewest(rows) {
    const [newest, setNewest] = useState(new Map());
    const shown = useRef(null);
    shown.current = rows;
    useEffect(() => watch(['message.'], (events) => {
        const ids = new Set(shown.current.map((row) => row.id));
        const mine = events.filter((event) => event.state && ids.has(event.id));
        if (mine.length === 0) return;
        setNewest((before) => {
            const after = new Map([...before].filter(([id]) => ids.has(id)));
            // Of a message of several segments an event tells one: the list tells the whole.
            for (const event of mine) after.set(event.id, event);
            return after;
        });
    }), []);
    return rows.map((row) => {
        const event = newest.get(row.id);
        return event && row.segments === 1 && event.at > row.updated_at ? {...row, state: event.state, modem: event.modem ?? row.modem, code: event.code ?? row.code} : row;
    });
}

/** Does `call` for each, some at a time; gives how many went well and how many did not. */
async function each(rows, call) {
    const left = [...rows];
    const result = {done: 0, failed: 0};
    const worker = async () => {
        for (let row = left.shift(); row; row = left.shift()) {
            try {
                await call(row);
                result.done++;
            } catch (error) {
                if (error.status === 401 || error.status === 403 || error.status === 0) throw error;
                result.failed++;
            }
        }
    };
    await Promise.all(Array.from({length: AT_ONCE}, worker));
    return result;
}

const csvColumns = ['id', 'to', 'state', 'code', 'priority', 'segments', 'modem', 'batch', 'client', 'ref', 'created_at', 'updated_at', 'text'];

function Selected({rows, done}) {
    const waiting = rows.filter((row) => waits.has(row.state));
    const over = rows.filter((row) => ended.has(row.state));
    const twice = over.filter((row) => mayHaveArrived.has(row.state)).length;
    const [cancel, cancelling] = useAction(() => each(waiting, (row) => del(`v1/messages/${row.id}`)), {
        ask: () => ({effect: t.askCancel(plural(waiting.length, 'waiting message')), detail: t.askCancelDetail(rows.length - waiting.length), action: t.doCancel, size: waiting.length, name: String(waiting.length)}),
        done: ({done: well, failed}) => { done(); return t.cancelled(plural(well, 'message'), failed); },
    });
    const [again, sending] = useAction(() => each(over, (row) => post(`v1/messages/${row.id}/again`, {allow_duplicate: mayHaveArrived.has(row.state)})), {
        ask: () => ({effect: t.askAgain(plural(over.length, 'message')), detail: t.askAgainDetail(twice), action: t.doAgain, danger: twice > 0, size: over.length, name: String(over.length)}),
        done: ({done: well, failed}) => { done(); return t.sentAgain(plural(well, 'message'), failed); },
    });
    return html`
        <div class="selection" role="group" aria-label=${t.selected(rows.length)}>
            <strong>${t.selected(rows.length)}</strong>
            ${can('send') && html`<button type="button" disabled=${cancelling || waiting.length === 0} onClick=${cancel}>${t.cancel}${waiting.length > 0 && ` ${waiting.length}`}</button>`}
            ${can('send') && html`<button type="button" disabled=${sending || over.length === 0} onClick=${again}>${t.again}${over.length > 0 && ` ${over.length}`}</button>`}
            <button type="button" onClick=${() => saveCsv('messages.csv', csvColumns, rows)}>${t.exportThem}</button>
            <button type="button" class="plain" onClick=${done}>${t.unselect}</button>
        </div>`;
}

/** All that fits the filters, page by page, up to a bound. */
async function exportAll(query) {
    const rows = [];
    let cursor;
    do {
        const page = await get(withQuery('v1/messages', {...query, limit: 200, cursor}));
        rows.push(...page.messages);
        cursor = page.next;
    } while (cursor && rows.length < EXPORTED_MAX);
    saveCsv('messages.csv', csvColumns, rows);
    return {number: rows.length, more: Boolean(cursor)};
}

function columnsFor(rows) {
    const has = (name) => rows.some((row) => row[name] !== null && row[name] !== undefined);
    return [
        {head: t.columns.to, cell: (row) => html`<${Number} of=${row.to} />`},
        {head: t.columns.state, cell: (row) => html`<${StateBadge} state=${row.state} />${row.partial && html` <small class="muted">${t.partial}</small>`}${row.code && html` <code class="wide-only">${row.code}</code>`}`},
        has('text') && {head: t.columns.text, cell: (row) => html`<${Snippet} text=${row.text} data=${row.data} />`},
        {head: t.columns.modem, wide: true, cell: (row) => row.modem ?? words.none},
        {head: t.columns.level, wide: true, end: true, cell: (row) => row.priority},
        has('batch') && {head: t.columns.batch, wide: true, cell: (row) => row.batch && html`<${Link} to=${`/batches/${encodeURIComponent(row.batch)}`}>${row.batch}<//>`},
        {head: t.columns.at, end: true, cell: (row) => html`<${Time} at=${row.created_at} seconds />`},
    ].filter(Boolean);
}

export function Messages() {
    const now = filtersOf(place.value.query);
    const query = queryOf(now);
    const filtered = names.some((name) => now[name] !== '');
    const pages = usePages('v1/messages', 'messages', {query, limit: PAGE, on: ['message.']});
    const rows = useNewest(pages.rows);
    const [selected, setSelected] = useState(new Set());
    const key = JSON.stringify(query);
    useEffect(() => setSelected(new Set()), [key]);
    const [save, saving] = useAction(() => exportAll(query), {done: ({number, more}) => (more ? t.exportStopped : t.exported)(plural(number, 'message'))});
    const chosen = rows.filter((row) => selected.has(row.id));
    const nothing = filtered
        ? html`<${Empty} title=${t.nothing}>${pages.hasMore ? t.stillSearching : t.nothingHow}<//>`
        : html`<${Empty} title=${t.empty} command=${t.emptyCommand}>${t.emptyHow}<//>`;
    return html`
        <${Page} title=${t.title} actions=${rows.length > 0 && html`<button type="button" disabled=${saving} onClick=${save}>${saving ? t.exporting : t.exportAll}</button>`}>
            <${Filters} now=${now} />
            ${chosen.length > 0 && html`<${Selected} rows=${chosen} done=${() => setSelected(new Set())} />`}
            <${StateView} of=${pages} isEmpty=${() => rows.length === 0} empty=${html`${nothing}<${More} of=${pages} />`}>${() => html`
                <section class="card messages-list is-dense"><${Table} caption=${t.caption} columns=${columnsFor(rows)} rows=${rows} to=${(row) => `/messages/${row.id}`} selected=${selected} onSelect=${setSelected} /></section>
                <${More} of=${pages} />`}<//>
        <//>`;
}

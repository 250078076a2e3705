/** Conversations: what was received from a number and sent to it, in one thread, and an answer. */
import {post} from '../api.js';
import {Badge, Empty, Link, More, Page, StateBadge, StateView, Time, useAction} from '../components/index.js';
import {Content, Number, Snippet} from '../components/text.js';
import {hrefOf} from '../base.js';
import {html, useEffect, useLayoutEffect, useRef, useState} from '../html.js';
import {usePages} from '../pages.js';
import {Size, usePreview} from '../preview.js';
import {isUnread, markAllRead, markRead} from '../read_marks.js';
import {navigate, place, setQuery} from '../router.js';
import {can} from '../store.js';
import {words} from '../words/index.js';
import * as t from '../words/inbox.js';

const digits = (text) => text.replace(/[^0-9a-z]/gi, '').toLowerCase();
const isNumber = (number) => /^\+?[0-9]{3,15}$/.test(number);
const pathOf = (number) => `/inbox/${encodeURIComponent(number)}`;

const Entry = ({of, open}) => html`
    <li><a data-row href=${hrefOf(pathOf(of.number))} class=${isUnread(of) ? 'entry is-unread' : 'entry'} aria-current=${open ? 'true' : undefined}>
        <span class="entry-head"><strong><${Number} of=${of.number} /></strong>${isUnread(of) && html`<span class="unread">${t.unread}</span>`}<${Time} at=${of.last.at} /></span>
        <span class="entry-text muted">${of.last.direction === 'sent' && t.you}<${Snippet} text=${of.last.text} data=${of.last.data} /></span>
    </a></li>`;

function NewNumber() {
    const [number, setNumber] = useState('');
    const submit = (event) => {
        event.preventDefault();
        if (number.trim()) navigate(pathOf(number.trim()));
    };
    return html`<form class="new-number" onSubmit=${submit}>
        <label class="unseen" for="new-number">${t.writeTo}</label>
        <input id="new-number" type="tel" placeholder=${t.writeTo} value=${number} onInput=${(event) => setNumber(event.target.value)} autocomplete="off" />
        <button type="submit" disabled=${!number.trim()}>${t.open}</button></form>`;
}

function List({of, open}) {
    const part = place.value.query.get('q') ?? '';
    const shown = of.rows.filter((row) => digits(row.number).includes(digits(part).replace(/^0+/, '')));
    return html`
        <section class="card conversations" aria-label=${t.list}>
            <div class="list-top">
                <label class="unseen" for="find">${t.find}</label>
                <input id="find" type="search" data-search placeholder=${t.find} value=${part} onInput=${(event) => setQuery({q: event.target.value})} />
                ${can('send') && html`<${NewNumber} />`}
            </div>
            ${shown.length === 0 && html`<p class="muted pad">${of.rows.length === 0 ? t.empty : t.nothing}</p>`}
            <ul class="entries">${shown.map((row) => html`<${Entry} key=${row.number} of=${row} open=${row.number === open} />`)}</ul>
            <${More} of=${of} />
        </section>`;
}

const notes = (row) => [
    row.incomplete && t.incomplete,
    row.undecodable && t.undecodable,
    row.maybe_repeat && t.repeat,
    row.class === 0 && t.flash,
    row.waiting?.active && t.waiting(row.waiting.where),
].filter(Boolean);

function Bubble({row}) {
    const sent = row.direction === 'sent';
    return html`
        <li class=${sent ? 'bubble is-sent' : 'bubble'} data-row>
            <div class="bubble-text"><span class="unseen">${sent ? t.sent : t.received}: </span><${Content} of=${row} /></div>
            ${notes(row).map((note) => html`<p key=${note} class="bubble-note"><${Badge} kind="warn">${note}<//></p>`)}
            <p class="bubble-foot muted"><${Time} at=${sent ? row.created_at : row.received_at} />${row.modem && html`<span>${t.by(row.modem)}</span>`}
                ${sent && html`<${Link} to=${`/messages/${row.id}`}><${StateBadge} state=${row.state} /><//>`}</p>
        </li>`;
}

/** What is typed is kept for as long as the page, also when one looks at another number meanwhile. */
const drafts = new Map();

function Answer({number, sent}) {
    const [text, setText] = useState(drafts.get(number) ?? '');
    const preview = usePreview({to: number, text});
    const keep = (value) => {
        drafts.set(number, value);
        setText(value);
    };
    const reference = useRef(null);
    const [send, busy] = useAction(async () => {
        // The same reference for a second try: after a lost answer nothing is sent twice.
        if (reference.current?.text !== text) reference.current = {text, ref: `answer-${crypto.getRandomValues(new Uint32Array(3)).join('-')}`};
        await post('v1/messages', {to: number, text, ref: reference.current.ref});
        reference.current = null;
        keep('');
        sent();
    }, {done: t.queued});
    const submit = (event) => {
        event.preventDefault();
        if (text.trim()) send();
    };
    return html`
        <form class="reply" onSubmit=${submit}>
            <label class="unseen" for="answer">${t.answer}</label>
            <textarea id="answer" rows="2" placeholder=${t.placeholder} value=${text} aria-describedby="answer-size"
                onInput=${(event) => keep(event.target.value)}
                onKeyDown=${(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)} />
            <button type="submit" class="primary" title=${t.sendKeys} disabled=${busy || !text.trim() || Boolean(preview.error)}>${t.send}</button>
            <${Size} id="answer-size" of=${preview} />
        </form>`;
}

function Thread({number}) {
    const pages = usePages(`v1/conversations/${encodeURIComponent(number)}`, 'messages', {limit: 50, on: ['message.']});
    const rows = [...pages.rows].reverse();
    const newest = rows.at(-1)?.id;
    const received = rows.filter((row) => row.direction === 'received').at(-1)?.id;
    const box = useRef(null);
    useLayoutEffect(() => {
        if (box.current) box.current.scrollTop = box.current.scrollHeight;
    }, [newest]);
    useEffect(() => {
        if (received && !document.hidden) markRead(number, received);
    }, [received]);
    const unknown = pages.error?.status === 404 && pages.data === undefined;
    return html`
        <section class="card thread">
            <header class="thread-head"><${Link} to="/inbox" class="back">‹ ${t.back}<//><h2><${Number} of=${number} call /></h2></header>
            <div class="thread-rows" ref=${box} tabindex="0" role="region" aria-label=${t.lines(number)}>
                ${unknown ? html`<${Empty} title=${t.nothingYet} />` : html`<${StateView} of=${pages}>${() => html`
                    ${pages.hasMore && html`<p class="center"><button type="button" disabled=${pages.loadingMore} onClick=${pages.more}>${t.older}</button></p>`}
                    <ol class="bubbles">${rows.map((row) => html`<${Bubble} key=${row.id} row=${row} />`)}</ol>`}<//>`}
            </div>
            ${!can('send') ? html`<p class="muted pad">${t.cannotSend}</p>`
                : isNumber(number) ? html`<${Answer} key=${number} number=${number} sent=${pages.reload} />` : html`<p class="muted pad">${t.cannotAnswer}</p>`}
        </section>`;
}

export function Inbox({number}) {
    const pages = usePages('v1/conversations', 'conversations', {limit: 100, on: ['message.'], keyOf: (row) => row.number});
    const unread = pages.rows.filter(isUnread);
    const newest = pages.rows.reduce((most, row) => (BigInt(row.last.id) > BigInt(most) ? row.last.id : most), '0');
    return html`
        <${Page} title=${t.title} tab=${unread.length > 0 ? `(${unread.length}) ${t.title}` : t.title} lead=${unread.length > 0 && t.unreadCount(unread.length)}
            actions=${unread.length > 0 && html`<button type="button" onClick=${() => markAllRead(newest)}>${t.readAll}</button>`}>
            <div class=${number ? 'inbox is-open' : 'inbox'}>
                <${StateView} of=${pages}>${() => html`<${List} of=${pages} open=${number} />`}<//>
                ${number ? html`<${Thread} key=${number} number=${number} />` : pages.data && html`<section class="card thread is-none">${
                    pages.rows.length === 0 ? html`<${Empty} title=${t.empty}>${t.emptyHow}<//>` : html`<${Empty} title=${t.choose} />`}</section>`}
            </div>
        <//>`;
}

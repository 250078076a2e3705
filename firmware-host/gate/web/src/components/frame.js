/** What surrounds every screen: the list of screens, the search, the bar of a lost connection. */
import {del, silentSince} from '../api.js';
import {hrefOf} from '../base.js';
import {moment} from '../format.js';
import {html, useEffect, useRef, useState} from '../html.js';
import {helpOpen} from '../keys.js';
import {streamLostSince} from '../live.js';
import {match, navigate, place} from '../router.js';
import {screens} from '../screens/index.js';
import {can, clock, keysOn, session, setKeysOn, theme} from '../store.js';
import {words} from '../words/index.js';
import {ConfirmHost, Dialog} from './dialog.js';
import {Icon} from './icons.js';
import {ToastHost, announce, toast} from './toast.js';

const FLICKER_MS = 1500; // a connection that is back within that is not worth a word

const mine = () => screens.filter((screen) => screen.nav && can(screen.role ?? 'read'));
const isHere = (screen, path) => match(screen.path, path) !== null || (screen.path !== '/' && path.startsWith(`${screen.path}/`));

const Item = ({screen}) => html`
    <a href=${hrefOf(screen.path)} aria-current=${isHere(screen, place.value.path) ? 'page' : undefined}>
        <${Icon} of=${screen.nav.icon} /><span>${screen.title}</span></a>`;

/** On narrow screens four screens are at the bottom, the others behind "More". */
function Navigation() {
    const [open, setOpen] = useState(false);
    const path = place.value.path;
    useEffect(() => setOpen(false), [path]);
    return html`
        <nav class=${open ? 'screens is-open' : 'screens'} aria-label=${words.navigation} onKeyDown=${(event) => event.key === 'Escape' && setOpen(false)}>
            <ul>${mine().map((screen) => html`<li key=${screen.path} class=${screen.nav.first ? 'first' : 'later'}><${Item} screen=${screen} /></li>`)}
                <li class="more-screens"><button type="button" class="plain" aria-expanded=${open} onClick=${() => setOpen(!open)}>
                    <${Icon} of="more" /><span>${words.more}</span></button></li>
            </ul>
        </nav>`;
}

const nextTheme = {system: 'light', light: 'dark', dark: 'system'};
const themeIcons = {system: 'auto', light: 'sun', dark: 'moon'};

function ThemeSwitch() {
    const now = theme.value;
    const label = `${words.theme.label}: ${words.theme[now]}`;
    return html`<button type="button" class="plain icon" aria-label=${label} title=${label} onClick=${() => { theme.value = nextTheme[now]; announce(`${words.theme.label}: ${words.theme[theme.value]}`); }}>
        <${Icon} of=${themeIcons[now]} /></button>`;
}

async function logout() {
    try {
        await del('v1/session');
    } catch (error) {
        // 401 and 404: there is no login any more.
        if (error.status !== 401 && error.status !== 404) return toast(`${words.stillIn} ${error.message} ${error.advice}`, 'bad');
    }
    session.value = null;
}

function Search() {
    const field = useRef(null);
    const submit = (event) => {
        event.preventDefault();
        navigate(`/messages?q=${encodeURIComponent(field.current.value.trim())}`);
        field.current.value = '';
    };
    return html`<form class="search" role="search" onSubmit=${submit}>
        <${Icon} of="search" /><input ref=${field} type="search" aria-label=${words.search} placeholder=${words.searchShort} data-search /></form>`;
}

function Top() {
    const who = session.value;
    const hasSearch = screens.some((screen) => screen.path === '/messages');
    return html`
        <header class="top">
            <a class="brand" href=${hrefOf('/')} aria-label=${words.product}><${Icon} of="modems" /><span>${words.product}</span></a>
            ${hasSearch && html`<${Search} />`}
            <div class="row">
                <button type="button" class="plain icon wide" aria-label=${words.help} title=${`${words.help} (?)`} onClick=${() => { helpOpen.value = true; }}><${Icon} of="keys" /></button>
                <${ThemeSwitch} />
                <span class="who wide" title=${words.account(who.name, who.role)}>${who.name}</span>
                <button type="button" class="plain icon" aria-label=${words.logout} title=${words.logout} onClick=${logout}><${Icon} of="out" /></button>
            </div>
        </header>`;
}

/** Is the data old, and since when? Null if it is not. */
export function lostSince(now) {
    const stream = streamLostSince.value;
    if (silentSince.value !== null) return {since: silentSince.value, text: words.lost.silent};
    return stream !== null && now - stream > FLICKER_MS ? {since: stream, text: words.lost.stream} : null;
}

function LostBar({lost}) {
    const text = lost?.text(moment(lost.since, {seconds: true}));
    const before = useRef(null);
    useEffect(() => {
        if (text || before.current) announce(text ?? words.lost.back);
        before.current = text ?? null;
    }, [text]);
    return lost && html`<aside class="lost" aria-label=${words.connection}>${text}</aside>`;
}

function Help() {
    return helpOpen.value && html`
        <${Dialog} title=${words.keys.title} onClose=${() => { helpOpen.value = false; }}>
            <dl class="keys">${words.keys.rows.map(([keys, what]) => html`<div key=${keys}><dt>${keys.split('  ').map((key) => html`<kbd key=${key}>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
            <label class="check"><input type="checkbox" checked=${keysOn.value} onChange=${(event) => setKeysOn(event.target.checked)} />${words.keys.on}</label>
        <//>`;
}

export function Frame({children}) {
    const lost = lostSince(clock.value);
    return html`
        <a class="skip" href="#main">${words.skip}</a>
        <${Top} />
        <${Navigation} />
        <div class="middle">
            <${LostBar} lost=${lost} />
            <main id="main" tabindex="-1" class=${lost ? 'is-old' : undefined}>${children}</main>
        </div>
        <${Help} /><${ConfirmHost} /><${ToastHost} />`;
}

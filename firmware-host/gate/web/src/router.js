/** Screens have real addresses: the path names the screen, the query its filters. */
import {base, hrefOf, pathOf} from './base.js';
import {signal} from './html.js';

const read = () => ({path: pathOf(location) ?? '/', query: new URLSearchParams(location.search)});

/** Where the page is: {path, query}. */
export const place = signal(read());

const leftFrom = new Map(); // place in the history -> {scroll, link} that the user left it from
const REMEMBERED = 50;
let serial = history.state?.serial ?? 0;
let highest = serial;
history.replaceState({serial}, '');
history.scrollRestoration = 'manual';

function remember() {
    const link = document.activeElement?.closest?.('a[href]')?.getAttribute('href') ?? null;
    leftFrom.set(serial, {scroll: scrollY, link});
    if (leftFrom.size > REMEMBERED) leftFrom.delete(leftFrom.keys().next().value);
}

/** Goes to a screen. `replace` leaves no entry in the history: for filters that change while typing. */
export function navigate(to, {replace = false} = {}) {
    if (replace) {
        history.replaceState({serial}, '', hrefOf(to));
        place.value = read();
        return;
    }
    remember();
    serial = ++highest;
    history.pushState({serial}, '', hrefOf(to));
    const before = place.value.path;
    place.value = read();
    if (place.value.path !== before) {
        scrollTo(0, 0);
        focusHeading();
    }
}

/** Changes filters of the screen that is shown; an empty value removes one. */
export function setQuery(changes, options = {replace: true}) {
    const query = new URLSearchParams(place.value.query);
    for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === undefined || value === '') query.delete(name);
        else query.set(name, value);
    }
    const text = query.toString();
    navigate(place.value.path + (text ? `?${text}` : ''), options);
}

/** The parts of `path` that `pattern` names (`/modems/:name`), or null if it is another path. */
export function match(pattern, path) {
    const wanted = pattern.split('/');
    const parts = path.replace(/\/$/, '').split('/');
    if (pattern === '/') return path === '/' ? {} : null;
    if (wanted.length !== parts.length) return null;
    const found = {};
    for (const [at, part] of wanted.entries()) {
        if (part.startsWith(':')) {
            try {
                found[part.slice(1)] = decodeURIComponent(parts[at]);
            } catch {
                return null;
            }
        } else if (part !== parts[at]) return null;
    }
    return found;
}

/** A screen reader and the keyboard continue at the new screen, not at the link that was left. */
function focusHeading() {
    requestAnimationFrame(() => document.querySelector('main h1')?.focus({preventScroll: true}));
}

/** Back at a screen: where it was scrolled to, and the link that was followed, once it is there again. */
function comeBack(left, tries = 20) {
    const link = left.link && document.querySelector(`main a[href="${CSS.escape(left.link)}"]`);
    if (link) link.focus({preventScroll: true});
    scrollTo(0, left.scroll);
    if (tries > 0 && ((left.link && !link) || scrollY < left.scroll - 1)) {
        setTimeout(() => comeBack(left, tries - 1), 50);
    }
}

addEventListener('popstate', (event) => {
    remember();
    serial = event.state?.serial ?? 0;
    place.value = read();
    requestAnimationFrame(() => comeBack(leftFrom.get(serial) ?? {scroll: 0, link: null}));
});

addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href, base);
    const path = pathOf(url);
    if (path === null || url.hash || path.startsWith('/v1/')) return;
    event.preventDefault();
    navigate(path + url.search);
});

/** Values that more than one part of the page reads. Data of the rack is in `resource.js`. */
import {computed, effect, signal} from './html.js';

/** Who is logged in: undefined until it is known, null without a login, else {name, role, masked}. */
export const session = signal(undefined);

const ranks = {send: 0, read: 1, admin: 2};

/** May the caller do what needs this role? Actions that it may not do have no button. */
export const can = (role) => (ranks[session.value?.role] ?? -1) >= ranks[role];

/** The time of the browser in ms, each second while the page is visible. For "3 minutes ago". */
export const clock = signal(Date.now());
setInterval(() => {
    if (!document.hidden) clock.value = Date.now();
}, 1000);

/** A setting that outlives the tab. A browser without storage gives the default each time. */
function kept(name, first) {
    const key = `smsrack.${name}`;
    let saved = null;
    try {
        saved = localStorage.getItem(key);
    } catch {
        // Storage is switched off in this browser.
    }
    const value = signal(saved ?? first);
    effect(() => {
        const now = value.value;
        try {
            localStorage.setItem(key, now);
        } catch {
            // As above: the setting lasts as long as the tab.
        }
    });
    return value;
}

/** system, light or dark. */
export const theme = kept('theme', 'system');
effect(() => {
    document.documentElement.dataset.theme = theme.value;
});

/** Single-letter keys can be switched off (WCAG 2.1.4), for people who speak to their browser. */
const letters = kept('keys', 'on');
export const keysOn = computed(() => letters.value === 'on');
export const setKeysOn = (on) => {
    letters.value = on ? 'on' : 'off';
};

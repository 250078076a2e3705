/** Numbers, times and durations as people read them. Times are those of the browser's zone. */
import {words} from './words/index.js';

const whole = new Intl.NumberFormat('en');
const tenths = new Intl.NumberFormat('en', {maximumFractionDigits: 1});
const clockOf = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit', second: '2-digit'});
const shortClock = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit'});
const dayOf = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short'});
const yearOf = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short', year: 'numeric'});

export const count = (value) => (value === null || value === undefined ? words.none : whole.format(value));
export const decimal = (value) => (value === null || value === undefined ? words.none : tenths.format(value));
export const percent = (share) => `${tenths.format(share * 100)} %`;

/** "10:42" or "10:42:05" of today, "26 Nov 10:42" of another day. */
export function moment(at, {seconds = false} = {}) {
    const date = new Date(at);
    if (Number.isNaN(date.getTime())) return words.none;
    const now = new Date();
    const time = (seconds ? clockOf : shortClock).format(date);
    if (date.toDateString() === now.toDateString()) return time;
    return `${(date.getFullYear() === now.getFullYear() ? dayOf : yearOf).format(date)} ${time}`;
}

/** Exact, in UTC: "2026-11-26 20:12:51.123 UTC". */
export function exact(at) {
    const date = new Date(at);
    return Number.isNaN(date.getTime()) ? words.none : `${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

const steps = [[86_400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];

/** "40 s", "3 min", "2 h 5 min", "4 d 3 h". Below a second: "120 ms". */
export function duration(seconds) {
    if (seconds === null || seconds === undefined) return words.none;
    if (seconds > 0 && seconds < 1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
    let left = Math.round(seconds);
    const parts = [];
    for (const [size, unit] of steps) {
        if (left >= size || (unit === 's' && parts.length === 0)) {
            parts.push(`${whole.format(Math.floor(left / size))} ${unit}`);
            left %= size;
        } else if (parts.length > 0) break;
        if (parts.length === 2 || unit === 'min' && parts.length === 1 && Math.round(seconds) >= 600) break;
    }
    return parts.join(' ');
}

/** "just now", "3 min ago": one unit is enough. */
export function ago(at, now = Date.now()) {
    const seconds = Math.max(0, (now - new Date(at).getTime()) / 1000);
    if (seconds < 5) return words.justNow;
    const [size] = steps.find(([unit]) => seconds >= unit);
    return words.ago(duration(size === 1 ? Math.floor(seconds / 5) * 5 : Math.floor(seconds / size) * size));
}

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** "1.5 GiB". */
export function octets(value) {
    if (value === null || value === undefined) return words.none;
    let unit = 0;
    for (; value >= 1024 && unit < sizes.length - 1; unit++) value /= 1024;
    return `${tenths.format(value)} ${sizes[unit]}`;
}

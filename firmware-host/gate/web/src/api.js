/** Calls of the API. An answer is its object; a refusal is an ApiError, which says what to do. */
import {base} from './base.js';
import {signal} from './html.js';
import {resyncAll} from './live.js';
import {session} from './store.js';
import {words} from './words/index.js';

const PULSE_MS = 4000;
const PATIENCE_MS = 3000; // the gate itself repeats a call for 10 s while the service is away

/** Null while the rack answers; since when it does not, in ms. */
export const silentSince = signal(null);
let goodAt = Date.now();

const heard = () => {
    goodAt = Date.now();
    if (silentSince.value === null) return;
    silentSince.value = null;
    resyncAll();
};
const notHeard = () => {
    silentSince.value ??= goodAt;
};

/** A refusal, or no answer (status 0). `code` is the one of docs/api.md. */
export class ApiError extends Error {
    constructor(status, problem = {}) {
        super(problem.detail || problem.title || (status === 0 ? words.errors.silent : words.errors.heading));
        this.status = status;
        this.code = problem.code ?? (status === 0 ? 'no_answer' : `http_${status}`);
        this.retryAfterS = problem.retry_after_s ?? null;
        this.advice = problem.advice ?? words.errors.advice[this.code] ?? words.errors.advice.any;
    }
}

async function problemOf(answer) {
    try {
        const body = await answer.json();
        return body.error ?? body;
    } catch {
        return {};
    }
}

/**
 * One call. `path` has no slash in front, so that it also works under a sub-path. With `body` it is
 * JSON, unless `type` names another type. Throws an ApiError; a 401 also ends the session here.
 */
export async function call(method, path, {body, type, headers, signal: abort} = {}) {
    const changes = method !== 'GET';
    const late = changes ? null : setTimeout(notHeard, PATIENCE_MS);
    let answer;
    try {
        answer = await fetch(new URL(path, base), {
            method,
            headers: {Accept: 'application/json', ...(changes && {'Content-Type': type ?? 'application/json'}), ...headers},
            body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
            credentials: 'same-origin',
            cache: 'no-store',
            signal: abort,
        });
    } catch (error) {
        if (error.name === 'AbortError') throw error;
        notHeard();
        throw new ApiError(0);
    } finally {
        clearTimeout(late);
    }
    if (!changes && answer.status >= 502 && answer.status <= 504) notHeard();
    else heard();
    if (answer.ok) return answer.status === 204 ? null : readBody(answer);
    if (answer.status === 401 && path !== 'v1/session') session.value = null;
    throw new ApiError(answer.status, await problemOf(answer));
}

async function readBody(answer) {
    const type = answer.headers.get('Content-Type') ?? '';
    if (type.includes('ndjson')) {
        const text = await answer.text();
        return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
    }
    return type.includes('json') ? answer.json() : answer.text();
}

/**
 * While nothing else is asked, finds out whether the rack answers: the gate keeps the stream of events
 * open also while the service is away. Gives a function that ends it.
 */
export function startPulse() {
    let waits = false;
    const timer = setInterval(async () => {
        if (waits || document.hidden || Date.now() - goodAt < PULSE_MS) return;
        waits = true;
        await get('v1/messages?limit=1').catch(() => {});
        waits = false;
    }, PULSE_MS / 2);
    return () => clearInterval(timer);
}

export const get = (path, options) => call('GET', path, options);
export const post = (path, body, options) => call('POST', path, {body, ...options});
export const del = (path, body, options) => call('DELETE', path, {body, ...options});

/** A path with a query; empty values are left out. */
export function withQuery(path, query) {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        if (value !== null && value !== undefined && value !== '') params.set(name, value);
    }
    const text = params.toString();
    return text ? `${path}?${text}` : path;
}

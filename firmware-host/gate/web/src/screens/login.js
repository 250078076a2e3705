/** The login: a token of `smsrack token new`. The address stays, so one is then where one wanted to be. */
import {post} from '../api.js';
import {Icon} from '../components/icons.js';
import {html, signal, useEffect, useRef, useState} from '../html.js';
import {session} from '../store.js';
import {words} from '../words/index.js';

/** Why the last login failed, or null. */
export const loginError = signal(null);

export function Login() {
    const [busy, setBusy] = useState(false);
    const field = useRef(null);
    useEffect(() => {
        document.title = `${words.login.title} · ${words.product}`;
        field.current.focus();
    }, []);
    async function submit(event) {
        event.preventDefault();
        const token = field.current.value.trim();
        if (busy || !token) return;
        setBusy(true);
        try {
            session.value = await post('v1/session', {token});
            loginError.value = null;
        } catch (error) {
            loginError.value = error;
            setBusy(false);
            field.current.select();
        }
    }
    const error = loginError.value;
    return html`
        <main class="alone">
            <form class="card login" onSubmit=${submit}>
                <p class="brand"><${Icon} of="modems" /><span>${words.product}</span></p>
                <h1>${words.login.title}</h1>
                <label class="field"><span>${words.login.token}</span>
                    <input ref=${field} type="password" autocomplete="current-password" spellcheck="false" required aria-invalid=${Boolean(error)} aria-describedby=${error ? 'login-error' : undefined} placeholder="smsrack_…" /></label>
                ${error && html`<p id="login-error" class="notice is-bad" role="alert">${words.login.refused(error)}</p>`}
                <button class="primary" type="submit" disabled=${busy}>${words.login.action}</button>
                <p class="muted">${words.login.how}<br /><code class="command">smsrack token new --role admin --name NAME</code></p>
                <p class="muted">${words.login.orLocal}<br /><code class="command">smsrack dashboard</code></p>
            </form>
        </main>`;
}

// The page as a whole: what the rack says about itself, asked again every few seconds.
import './app.css'
import { render } from 'preact'
import { signal } from '@preact/signals'
import { html } from './html.js'
import { root } from './root.js'

const said = signal('')

async function ask() {
  const answer = await fetch(new URL('v1/status', root))
  said.value = answer.status === 401 ? 'No login.' : JSON.stringify(await answer.json(), null, 1)
}

const Page = () => html`<main><h1>smsrack</h1><pre>${said.value}</pre></main>`

render(html`<${Page} />`, document.getElementById('app'))
ask()
setInterval(ask, 5000)

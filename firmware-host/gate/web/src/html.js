/**
 * What every file of the page draws with: elements and hooks by preact, shared values by signals.
 * Elements are written as templates of htm, which the build turns into calls of `html`
 * (`templates.mjs`), so a template is never parsed in a browser.
 */
export {h as html, render} from 'preact';
export {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
export {computed, effect, signal} from '@preact/signals';

/** What every file of the page draws with: elements by htm, hooks by preact, shared values by signals. */
import htm from 'htm';
import {h} from 'preact';

export const html = htm.bind(h);

export {Fragment, h, render} from 'preact';
export {useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
export {batch, computed, effect, signal, untracked, useComputed, useSignal, useSignalEffect} from '@preact/signals';

/**
 * All screens, in the order of the list of screens: {path, title, View, nav, role}. `path` may name
 * parts (`/modems/:name`), which View gets as properties. With `nav` ({icon, first}) it is in the list;
 * `first` ones are at the bottom of a narrow screen. `role` is the lowest that sees it (read).
 *
 * Only the first screen is in app.js. The View of the others has the same name in `more.js`.
 */
import {later} from '../later.js';
import {words} from '../words/index.js';
import {nowScreen} from './now.js';

const {titles} = words;

export const screens = [
    nowScreen,
    {path: '/modems', title: titles.modems, View: later('Modems'), nav: {icon: 'modems', first: true}},
    {path: '/modems/:name', title: titles.modems, View: later('Modem')},
    {path: '/messages', title: titles.messages, View: later('Messages'), nav: {icon: 'messages', first: true}, role: 'send'},
    {path: '/messages/:id', title: titles.message, View: later('Message'), role: 'send'},
    {path: '/inbox', title: titles.inbox, View: later('Inbox'), nav: {icon: 'inbox', first: true}},
    {path: '/inbox/:number', title: titles.inbox, View: later('Inbox')},
    {path: '/send', title: titles.send, View: later('Send'), nav: {icon: 'send'}, role: 'send'},
    {path: '/batches', title: titles.batches, View: later('Batches'), nav: {icon: 'batches'}},
    {path: '/batches/:name', title: titles.batches, View: later('Batch')},
    {path: '/triggers', title: titles.triggers, View: later('Triggers'), nav: {icon: 'triggers'}},
    {path: '/triggers/:name', title: titles.triggers, View: later('Trigger')},
    {path: '/scaling', title: titles.scaling, View: later('Scaling'), nav: {icon: 'scaling'}},
    {path: '/programs', title: titles.programs, View: later('Programs'), nav: {icon: 'programs'}},
    {path: '/programs/smpp/:name', title: titles.programs, View: later('SmppAccount')},
    {path: '/programs/webhooks/:name', title: titles.programs, View: later('Webhook')},
    {path: '/box', title: titles.box, View: later('Box'), nav: {icon: 'box'}},
];

import {modemsScreen} from './modems.js';

/**
 * All screens, in the order of the list of screens. A screen is {path, title, View, nav, role}: `path`
 * may name parts (`/modems/:name`), which View gets as properties. With `nav` ({icon, first}) it is in the
 * list; `first` ones are at the bottom of a narrow screen. `role` is the lowest that sees it (read).
 */
export const screens = [
    modemsScreen,
];

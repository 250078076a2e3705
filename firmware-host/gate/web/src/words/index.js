/**
 * All texts of the page, in English. For another language, translate the files of this folder. Here
 * are those of the frame and of the first screen; each other screen imports its own file.
 */
import {errors, frame, modem, states} from './frame.js';
import {login} from './login.js';
import {now} from './now.js';

export const words = {...frame, errors, states, login, modem, now};

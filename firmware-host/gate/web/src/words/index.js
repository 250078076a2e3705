/** All texts of the page, in English. For another language, translate the files of this folder. */
import {errors, frame, level, states} from './frame.js';
import {login} from './login.js';
import {modems} from './modems.js';

export const words = {...frame, errors, states, level, login, modems};

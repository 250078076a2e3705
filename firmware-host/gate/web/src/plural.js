const whole = new Intl.NumberFormat('en');

/** "1 message", "4,210 messages". */
export const plural = (number, one, many = `${one}s`) => `${whole.format(number)} ${number === 1 ? one : many}`;

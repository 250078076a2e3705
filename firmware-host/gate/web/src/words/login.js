export const login = {
    title: 'Log in',
    token: 'Token',
    action: 'Log in',
    how: 'Make a token on the box:',
    orLocal: 'Or, on the box, open this page without a token:',
    refused: (error) => {
        if (error.status === 401) return 'This token or code is not valid: it may be mistyped, revoked or used up. Make a new one on the box.';
        if (error.status === 429) return `There were too many wrong tries from this address. Wait ${error.retryAfterS ?? 60} s and try again.`;
        return `${error.message} ${error.advice}`;
    },
};

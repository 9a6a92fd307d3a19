/** The Hub of a test that has no stand-in: port 1 of loopback, on which nothing listens. */
export const closedHub = 'http://127.0.0.1:1'

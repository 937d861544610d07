/**
 * Whether a host name or address (as `URL` writes it, or as `--host` takes it) can only be this machine:
 * `localhost`, 127.0.0.0/8, ::1. Names are not resolved; a key may go there over plain http.
 */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(hostname);

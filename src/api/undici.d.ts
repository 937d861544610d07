/** undici's parts by file, so that a command loads only those that it needs. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

/** The executable's beginning: what bin/pixctl.js does, without what a single file has no use for. */
import { main } from '../src/main.ts';

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

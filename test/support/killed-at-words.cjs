/**
 * Loaded by the Node of a run: it is killed as soon as its words of a possible duplicate are to go out to stderr
 * (`KILLED_AT=before`), or have gone out (`after`).
 */
'use strict';
const fs = require('node:fs');
const { writeSync } = fs;

fs.writeSync = (descriptor, bytes, ...more) => {
  const areTheWords = descriptor === 2 && Buffer.from(bytes).includes('POSSIBLE_DUPLICATE');
  const kill = () => process.kill(process.pid, 'SIGKILL');
  if (areTheWords && process.env.KILLED_AT === 'before') kill();
  const written = writeSync(descriptor, bytes, ...more);
  if (areTheWords) kill();
  return written;
};

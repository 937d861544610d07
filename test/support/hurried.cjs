/**
 * Loaded by the Node of a run (`hurried` in run.ts): three pauses of the program pass twenty times as fast. It looks at
 * the list again after an answer that was lost, and after a CONFLICT, and it rests before it sends again what was
 * refused: four seconds each. All else, the deadlines too, takes its time, and so does every clock.
 */
'use strict';
const { setTimeout: wait } = globalThis;
const pauses = /\bsleep \(.*\n\s+at (?:search|confirmRefusal|waitAfterRefusal) \(/;

globalThis.setTimeout = Object.assign(
  (work, ms, ...more) => wait(work, pauses.test(new Error().stack) ? ms / 20 : ms, ...more),
  wait,
);

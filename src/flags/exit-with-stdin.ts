/** The flag of whatever must not outlive the program that started it; `runtime/stdin-end.ts` does what it says. */
export const exitWithStdinFlag = [
  '--exit-with-stdin',
  'also stop when stdin ends, as a pipe does with the program that started it; not for & in a script, whose stdin is empty',
] as const;

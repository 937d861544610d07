#!/usr/bin/env node
// Plain syntax on purpose: a Node that is too old must still be able to read this file and say so.
const need = '22.22.2, 24.15 or 26';
const version = process.versions.node.split('.').map(Number);
const enough =
  (version[0] === 22 && (version[1] > 22 || (version[1] === 22 && version[2] >= 2))) ||
  (version[0] === 24 && version[1] >= 15) ||
  version[0] >= 26;
if (!enough) {
  process.stderr.write(`pixctl needs Node ${need} or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 78;
} else {
  const nodeModule = process.getBuiltinModule('node:module');
  nodeModule.enableCompileCache();
  nodeModule
    .createRequire(import.meta.url)('../dist/main.cjs')
    .main()
    .then((code) => {
      process.exitCode = code;
    });
}

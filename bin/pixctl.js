#!/usr/bin/env node
// Plain syntax on purpose: a Node that is too old must still be able to read this file and say so.
// CommonJS on purpose (see package.json beside it): Node takes half as long again to start an ES module.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const need = '24 (24.15 or newer), 22 (22.22.2 or newer), or 26 and newer';
const version = process.versions.node.split('.').map(Number);
const enough =
  (version[0] === 22 && (version[1] > 22 || (version[1] === 22 && version[2] >= 2))) ||
  (version[0] === 24 && version[1] >= 15) ||
  version[0] >= 26;

function start() {
  if (!enough) {
    process.stderr.write(`pixctl needs Node ${need}; this is Node ${process.versions.node}.\n`);
    process.exitCode = 78;
  } else if (!tryPrintVersion()) {
    const main = path.join(__dirname, '../dist/main.cjs');
    const directory = compiledDirectory();
    const { load, save, preload } = require('./compile-cache.js').openCompileCache(
      directory,
      path.dirname(main),
      commandWords(),
    );
    let program;
    try {
      program = load(main);
    } catch (error) {
      if (error.code !== 'ERR_REPLACED') throw error;
      const { code = 'ENOENT' } = error.cause || {};
      const what =
        code === 'ENOENT'
          ? 'pixctl is being installed, or its installation is incomplete'
          : `The installation of pixctl cannot be read (${code})`;
      process.stderr.write(`${what}. Nothing was done.\n`);
      process.exitCode = 75;
      return;
    }
    preloadIfItLasts(preload);
    program.main(process.argv.slice(2), process.execPath, save, preload).then((code) => {
      process.exitCode = code;
      save(code === 0 ? 1 : 0);
    });
  }
}

/**
 * A run that waits (for a person, a payment, an event) may be replaced meanwhile; a short one reads only what it needs.
 */
function preloadIfItLasts(preload) {
  setTimeout(() => {
    try {
      preload();
    } catch (_) {
      // It has been replaced already: loading a part that is gone will say so.
    }
  }, 250).unref();
}

/**
 * Answers a lone `pixctl --version` without loading anything else. If stdout cannot be written, the full program
 * reports it.
 */
function tryPrintVersion() {
  if (process.argv.length !== 3 || (process.argv[2] !== '--version' && process.argv[2] !== '-V'))
    return false;
  try {
    fs.writeSync(1, `${require('../package.json').version}\n`);
    return true;
  } catch (_) {
    return false;
  }
}

/** The words that name the command, like `charge list`: each command keeps its own code. */
function commandWords() {
  const words = process.argv.slice(2, 4);
  const odd = words.findIndex((word) => !/^[a-z]{1,20}$/.test(word));
  return odd < 0 ? words : words.slice(0, odd);
}

/**
 * The directory where compiled code is kept for the next run, which only this user can write to. Node's own default
 * lies in the shared temporary directory, where another user could plant code for us to run. Null where there can be no
 * such directory (no home, read-only, somebody else's): everything still works, only slower.
 */
function compiledDirectory() {
  const { XDG_CACHE_HOME: cache, HOME: home, LOCALAPPDATA: local } = process.env;
  const base = process.platform === 'win32' ? local : cache || (home && path.join(home, '.cache'));
  if (!base || !path.isAbsolute(base) || process.env.NODE_DISABLE_COMPILE_CACHE) return null;
  try {
    makeDirectory(base);
    const real = fs.realpathSync.native(base);
    const own = path.join(real, 'pixctl');
    const directory = path.join(own, 'compiled');
    if (!isGuarded(real)) return null;
    if (!isPrivate(own) || !isPrivate(directory)) {
      makeDirectory(directory);
      if (!isPrivate(own) || !isPrivate(directory)) return null;
    }
    return directory;
  } catch (_) {
    // A cache is never worth a failure.
    return null;
  }
}

/**
 * Creates a directory and those above it. Not with Node's own `recursive`, which tries for ever where a directory
 * exists but nothing can be created in it (ENOENT): /proc, or the /home of an automounter that does not know the user.
 */
function makeDirectory(directory) {
  const above = path.dirname(directory);
  if (fs.existsSync(directory) || above === directory) return;
  makeDirectory(above);
  try {
    fs.mkdirSync(directory, 0o700);
  } catch (error) {
    // Another run was faster.
    if (error.code !== 'EEXIST') throw error;
  }
}

/** Whether nobody else (except root) can put another directory in the place of one that lies in this one. */
function isGuarded(directory) {
  if (process.platform === 'win32') return true;
  const { uid, gid, mode } = fs.lstatSync(directory);
  const self = process.geteuid();
  if (uid !== 0 && uid !== self && !isFromOutside(uid)) return false;
  // Where each user has a group of their own, it has the user's number.
  const others = gid === 0 || gid === self ? 0o002 : 0o022;
  // In a sticky directory, only the owner of an entry may move it away.
  if ((mode & others) !== 0 && (mode & 0o1000) === 0) return false;
  const parent = path.dirname(directory);
  return parent === directory || isGuarded(parent);
}

/** In a user namespace (a container without root, `unshare -r`), the machine's root has no uid that we could name. */
function isFromOutside(uid) {
  if (uid !== 65534) return false;
  const names = fs.readFileSync('/proc/self/uid_map', 'latin1').trim().split(/\s+/);
  return names.length > 3 || names[2] !== '4294967295';
}

function isPrivate(directory) {
  const found = fs.lstatSync(directory, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  return process.platform === 'win32' || (found.uid === process.geteuid() && (found.mode & 0o022) === 0);
}

start();

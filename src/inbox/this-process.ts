/** This process as an owner of claims, and whether another one of this machine still runs. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { runs } from '../owner/runs.ts';
import type { Owner } from './owner.ts';

export function thisProcess(): Owner {
  const host = hostname();
  return {
    id: `${pid}@${host}#${randomBytes(6).toString('hex')}`,
    isGone(id) {
      const [, otherPid = '', otherHost = ''] = /^(\d+)@(.*)#[0-9a-f]+$/.exec(id) ?? [];
      return otherHost === host && !isRunning(Number(otherPid));
    },
  };
}

// Another inbox of this very process (a test, the demo) is gone only when it says so.
const isRunning = (otherPid: number): boolean => otherPid === pid || runs(otherPid);

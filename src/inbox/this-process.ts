/** This process as an owner of claims, and whether another one of this machine still runs. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import type { Owner } from './owner.ts';

export function thisProcess(): Owner {
  const host = hostname();
  return {
    id: `${pid}@${host}#${randomBytes(6).toString('hex')}`,
    isGone(id) {
      const [, otherPid = '', otherHost = ''] = /^(\d+)@(.*)#[0-9a-f]+$/.exec(id) ?? [];
      return otherHost === host && !runs(Number(otherPid));
    },
  };
}

function runs(otherPid: number): boolean {
  // Another inbox of this very process (a test, the demo) is gone only when it says so.
  if (otherPid === pid) return true;
  try {
    return kill(otherPid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

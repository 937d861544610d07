/**
 * Sends one POST of exact bytes to an application and reports facts: it never rejects, follows no redirect, reads a
 * bounded part of the answer, and ends within its timeout.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Clock } from '../../clock.ts';
import { closedUnanswered, type OutgoingPost, type PostResult, runExchange } from './exchange.ts';
import { startHttpExchange } from './http-exchange.ts';
import { type ParsedAddress, parseAddress } from './parsed-address.ts';
import { createPlainExchanges } from './plain-exchange.ts';

export type { OutgoingPost, PostResult };

export type Post = (post: OutgoingPost) => Promise<PostResult>;

/** Is told about each post before it is sent, and returns a function that is told how it ended. Must not throw. */
export type PostTrace = (outgoing: OutgoingPost) => (result: PostResult) => void;

interface PostOptions {
  /** Connections at once to one address. */
  readonly connections?: number;
  readonly trace?: PostTrace | undefined;
}

/** How long an unused connection is kept: less than the five seconds of most applications. Milliseconds. */
const idleMs = 4_000;

/** Makes a `Post` that keeps up to `connections` connections to each address alive. `close` ends them. */
export function createPost(
  clock: Clock,
  { connections = 64, trace }: PostOptions = {},
): { post: Post; close: () => void } {
  const agentOptions = { keepAlive: true, maxSockets: connections, keepAliveMsecs: 1_000, timeout: idleMs };
  const agents = new Map<string, HttpAgent>();
  function agentTo({ address, secure }: ParsedAddress): HttpAgent {
    let agent = agents.get(address);
    if (agent !== undefined) return agent;
    agent = secure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
    agents.set(address, agent);
    return agent;
  }
  const plain = createPlainExchanges({ connections, idleMs });
  const post: Post = async (outgoing) => {
    const address = parseAddress(outgoing.url);
    const first = await runExchange(
      clock,
      outgoing,
      (handler) =>
        plain.begin(outgoing, address, handler) ??
        startHttpExchange(outgoing, address, { agent: agentTo(address) }, handler),
    );
    if (first !== 'stale') return first;
    // The application has closed a kept connection, most likely while this was on its way: try once more on a new one.
    const second = await runExchange(clock, outgoing, (handler) =>
      startHttpExchange(outgoing, address, null, handler),
    );
    if (second === 'stale') return { error: closedUnanswered, ms: 0, reached: true };
    if (second.error === undefined) return second;
    // The application may have read the first one after all.
    return { ...second, reached: true, error: `${closedUnanswered}; asked again, it ${second.error}` };
  };
  return {
    post: trace === undefined ? post : withTrace(post, trace),
    close() {
      plain.end();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

const withTrace =
  (post: Post, trace: PostTrace): Post =>
  async (outgoing) => {
    const ended = trace(outgoing);
    const result = await post(outgoing);
    ended(result);
    return result;
  };

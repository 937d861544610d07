/** The kept connections to one server: a limited number, for one of which a request waits if all are in use. */
import {
  type AnswerHandler,
  type ClientConnection,
  closed,
  type LineOptions,
  openConnection,
} from './client-connection.ts';

interface LinesOptions extends LineOptions {
  readonly most: number;
}

export interface ConnectionPool {
  ask(request: Buffer, handler: AnswerHandler): PendingExchange;
  /** Ends all connections, reporting what is under way as lost. */
  end(): void;
}

/** An exchange under way. */
export interface PendingExchange {
  /** Whether a connection was made for it. */
  reached(): boolean;
  /** Whether some of an answer has come. */
  begun(): boolean;
  /** Gives it up: nothing more is reported. */
  leave(): void;
}

interface Asking {
  readonly request: Buffer;
  readonly handler: AnswerHandler;
  line: ClientConnection | null;
}

/** Opens no connection before the first request. */
export function createConnectionPool(options: LinesOptions): ConnectionPool {
  const open = new Set<ClientConnection>();
  const idle: ClientConnection[] = [];
  const waiting: Asking[] = [];

  const watch = {
    free(connection: ClientConnection) {
      const next = waiting.shift();
      if (next === undefined) idle.push(connection);
      else give(connection, next);
    },
    gone(connection: ClientConnection) {
      if (!open.delete(connection)) return;
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      const next = waiting.shift();
      if (next !== undefined) begin(next);
    },
  };

  function begin(asking: Asking): void {
    const line = idle.pop() ?? (open.size < options.most ? another() : null);
    if (line === null) waiting.push(asking);
    else give(line, asking);
  }

  function another(): ClientConnection {
    const connection = openConnection(options, watch);
    open.add(connection);
    return connection;
  }

  function give(connection: ClientConnection, asking: Asking): void {
    asking.line = connection;
    connection.ask(asking.request, asking.handler);
  }

  return {
    ask(request, handler) {
      const asking: Asking = { request, handler, line: null };
      begin(asking);
      return {
        reached: () => asking.line?.connected ?? false,
        begun: () => asking.line?.begun ?? false,
        leave() {
          if (asking.line !== null) return asking.line.leave();
          const at = waiting.indexOf(asking);
          if (at >= 0) waiting.splice(at, 1);
        },
      };
    },
    end() {
      const never = waiting.splice(0);
      for (const connection of open) connection.end();
      for (const { handler } of never) handler.lost(closed(), { begun: false, kept: false });
    },
  };
}

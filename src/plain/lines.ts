/** The kept connections to one server: a limited number, for one of which a request waits if all are in use. */
import { type AnswerHandler, closed, type Line, type LineOptions, openLine } from './line.ts';

export interface LinesOptions extends LineOptions {
  readonly most: number;
}

export interface Lines {
  ask(request: Buffer, handler: AnswerHandler): Carried;
  /** Ends all connections, reporting what is under way as lost. */
  end(): void;
}

/** An exchange under way. */
export interface Carried {
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
  line: Line | null;
}

export function createLines(options: LinesOptions): Lines {
  const open = new Set<Line>();
  const idle: Line[] = [];
  const waiting: Asking[] = [];

  const watch = {
    free(line: Line) {
      const next = waiting.shift();
      if (next === undefined) idle.push(line);
      else give(line, next);
    },
    gone(line: Line) {
      if (!open.delete(line)) return;
      const at = idle.indexOf(line);
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

  function another(): Line {
    const line = openLine(options, watch);
    open.add(line);
    return line;
  }

  function give(line: Line, asking: Asking): void {
    asking.line = line;
    line.ask(asking.request, asking.handler);
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
      for (const line of open) line.end();
      for (const { handler } of never) handler.lost(closed(), { begun: false, kept: false });
    },
  };
}

/** `listen --ui`: the inspector, loaded only on request. */
import type { Inbox } from '../../../inbox/inbox.ts';
import type { Inspector } from '../../../listener/inspector/start-inspector.tsx';
import type { PostTrace } from '../../../listener/posting/post.ts';
import type { Runtime } from '../../../runtime.ts';
import type { ListenOptions } from './options.ts';

interface InspectorParts {
  readonly inbox: Inbox;
  readonly secrets: readonly string[];
  readonly trouble: (cause: unknown) => void;
  readonly trace: PostTrace | undefined;
}

/** Opens the inspector. Null if nobody asked for it. */
export async function openInspector(
  { clock }: Pick<Runtime, 'clock'>,
  options: ListenOptions,
  { inbox, secrets, trouble, trace }: InspectorParts,
): Promise<Inspector | null> {
  if (!options.ui) return null;
  const { startInspector } = await import('../../../listener/inspector/start-inspector.tsx');
  const { targets, signatureHeader, ack, headers, forwardTimeoutMs } = options;
  return startInspector({
    store: inbox,
    clock,
    targets,
    signatureHeader,
    ack,
    headers,
    secrets: () => secrets,
    timeoutMs: forwardTimeoutMs,
    trace,
    onTrouble: trouble,
  });
}

import type { SessionObserver } from "./observer.ts";

/** What a branch has of the session it is in. */
export interface Attachment {
  readonly observer: SessionObserver;
  /** Whether the session's gate is asked on every route, not by `act` alone. */
  gatesEveryRoute(): boolean;
  /** Whether the branch emits signals of what happens in it. */
  readonly emitsSignals: boolean;
}

/** Which branch is attached to what. Kept here so that only a session can attach a branch. */
const attachments = new WeakMap<object, Attachment>();

/** What a branch is attached to; `null` for one that stands alone (D4-2). */
export function attachmentOf(branch: object): Attachment | null {
  return attachments.get(branch) ?? null;
}

/** Attaches a branch to a session. */
export function attach(branch: object, attachment: Attachment): void {
  attachments.set(branch, attachment);
}

/** Ends the attachment, and with it the branch's observer (D4-2). */
export function detach(branch: object): void {
  attachments.delete(branch);
}

import { Element, type ElementInit } from "../signals/element.ts";
import type { ActionRequest } from "../action/action_request.ts";
import type { ActionResponse } from "../action/action_response.ts";

/** Who said a message. */
export type MessageRole = "system" | "user" | "assistant";

/** What a {@linkcode Message} is made of. */
export interface MessageInit extends ElementInit {
  /** Who says it. */
  readonly role: MessageRole;
  /** What is said. */
  readonly content: unknown;
}

/** Something said in a branch; actions are {@linkcode ActionRequest} and {@linkcode ActionResponse}. */
export class Message extends Element {
  /** Who said it. */
  readonly role: MessageRole;
  /** What was said. */
  readonly content: unknown;

  /** Makes a message. */
  constructor(init: MessageInit) {
    super(init);
    this.role = init.role;
    this.content = init.content;
  }
}

/** Whatever stands in a branch's history. */
export type BranchMessage = Message | ActionRequest | ActionResponse;

import { Element, type ElementInit } from "../signals/element.ts";
import type { ActionRequest } from "../action/action_request.ts";
import type { ActionResponse } from "../action/action_response.ts";

/** Who said a message. */
export type MessageRole = "system" | "user" | "assistant";

/** What a {@linkcode Message} is made of. */
export interface MessageInit extends ElementInit {
  readonly role: MessageRole;
  readonly content: unknown;
}

/** Something said in a branch; actions are {@linkcode ActionRequest} and {@linkcode ActionResponse}. */
export class Message extends Element {
  readonly role: MessageRole;
  readonly content: unknown;

  constructor(init: MessageInit) {
    super(init);
    this.role = init.role;
    this.content = init.content;
  }
}

/** Whatever stands in a branch's history. */
export type BranchMessage = Message | ActionRequest | ActionResponse;

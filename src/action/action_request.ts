import { Element, type ElementInit } from "../signals/element.ts";

/** What an {@linkcode ActionRequest} is made of. */
export interface ActionRequestInit extends ElementInit {
  /** The tool's name. */
  readonly function: string;
  /** The arguments: a plain record, or an object whose own fields are the arguments. Default `{}`. */
  readonly arguments?: unknown;
  /** The id the model gave the call, when it gave one. */
  readonly callId?: string;
}

/** Anything that asks for a call: an {@linkcode ActionRequest}, or a plain record with the same two fields. */
export type ActionRequestLike = ActionRequest | {
  readonly function: string;
  readonly arguments?: unknown;
  readonly callId?: string;
};

/** A request to call a tool, as a model made it; kept in a branch's messages. */
export class ActionRequest extends Element {
  /** Actions have a role of their own. */
  readonly role = "action" as const;
  /** The tool's name. */
  readonly function: string;
  /** The arguments as they came; not a copy. */
  readonly arguments: unknown;
  /** The id the model gave the call; `null` when it gave none. */
  readonly callId: string | null;

  /** Makes a request. @throws {TypeError} when there is no function name. */
  constructor(init: ActionRequestInit) {
    super(init);
    if (typeof init.function !== "string" || init.function === "") {
      throw new TypeError("Cannot request an action: function must be the name of a tool");
    }
    this.function = init.function;
    this.arguments = init.arguments ?? {};
    this.callId = init.callId ?? null;
  }

  /**
   * Makes a request of what a model sends: the tool's name, and its arguments as JSON text.
   *
   * @throws {Error} when the text is no JSON record; tell the model so.
   */
  static fromModel(name: string, argumentsText: string, callId?: string): ActionRequest {
    let args: unknown;
    try {
      args = argumentsText.trim() === "" ? {} : JSON.parse(argumentsText);
    } catch (cause) {
      const why = (cause as Error).message;
      throw new Error(`Cannot read the arguments of ${name}: ${why}`, { cause });
    }
    if (typeof args !== "object" || args === null || Array.isArray(args)) {
      throw new Error(`Cannot read the arguments of ${name}: they are no record`);
    }
    return new ActionRequest({ function: name, arguments: args, callId });
  }

  /** Makes a request of a plain record, or of an object with `function` and `arguments`. */
  static from(request: ActionRequestLike): ActionRequest {
    if (request instanceof ActionRequest) return request;
    if (typeof request !== "object" || request === null) {
      throw new TypeError("Cannot request an action: give { function, arguments }");
    }
    return new ActionRequest({
      function: request.function,
      arguments: request.arguments,
      callId: request.callId,
    });
  }
}

import { ActionManager, type RegisterOptions, type ToolLike } from "../action/action_manager.ts";
import type { ActionRequestLike } from "../action/action_request.ts";
import { ActionResponse } from "../action/action_response.ts";
import type { Governance } from "../action/processors.ts";
import type { Tool } from "../action/tool.ts";
import { Element, type ElementInit } from "../signals/element.ts";
import { MessageAdded } from "../signals/lifecycle_signals.ts";
import { act, type ActOptions } from "./act.ts";
import { attachmentOf } from "./attachment.ts";
import { toolInvocation } from "./control.ts";
import { type BranchMessage, Message, type MessageRole } from "./message.ts";
import type { SessionObserver } from "./observer.ts";
import { emitAction } from "./emit_action.ts";

/** What a {@linkcode Branch} is made of. */
export interface BranchOptions extends ElementInit {
  /** The branch's name. */
  readonly name?: string;
  /** The first message, of the role `system`. */
  readonly system?: string;
  /** The tools to begin with. */
  readonly tools?: Iterable<ToolLike>;
  /** What runs around every tool of this branch, whenever it is registered; `createAgent` gives it. */
  readonly governance?: Pick<Governance, "wrap">;
  /** The model of the agent; kept for whoever writes the loop. */
  readonly chatModel?: unknown;
}

/**
 * One conversation with its own tools and history (D4).
 *
 * A branch alone permits everything (D4-3); in a session it asks the session's gate.
 *
 * @example
 * ```ts
 * import { Session, defineTool } from "@gatehouse/gatehouse";
 * import { z } from "zod";
 *
 * const session = new Session();
 * const branch = session.newBranch({
 *   tools: [defineTool({
 *     name: "add",
 *     description: "Adds two numbers",
 *     request: z.object({ a: z.number(), b: z.number() }),
 *     run: ({ a, b }) => a + b,
 *   })],
 * });
 * session.gate((action) => action.function === "add");
 * const response = await branch.act({ function: "add", arguments: { a: 1, b: 2 } });
 * response.output; // 3
 * ```
 */
export class Branch extends Element {
  /** The branch's name; `null` when it has none. */
  readonly name: string | null;
  /** The branch's tools. Calls made here go past `act`, and so past the session's plane (D3-9, D4-9). */
  readonly acts: ActionManager;
  /** The model of the agent; kept for whoever writes the loop. */
  readonly chatModel: unknown;
  readonly #messages: BranchMessage[] = [];
  readonly #evicted = new Set<string>();
  readonly #notices: string[] = [];
  readonly #closers: (() => unknown)[] = [];

  /** Makes a branch that stands alone. */
  constructor(options: BranchOptions = {}) {
    super(options);
    this.name = options.name ?? null;
    this.chatModel = options.chatModel ?? null;
    this.acts = new ActionManager(options.tools, {
      ...options.governance,
      authorize: async (call) =>
        attachmentOf(this)?.gatesEveryRoute() !== true ||
        await this.authorize(toolInvocation(call.function, call.arguments, this.id)),
    });
    if (options.system !== undefined) this.addMessage("system", options.system);
  }

  /** The session's observer; `null` for a branch that stands alone (D4-2). */
  get observer(): SessionObserver | null {
    return attachmentOf(this)?.observer ?? null;
  }

  /** Everything said and done here, oldest first. */
  get messages(): readonly BranchMessage[] {
    return [...this.#messages];
  }

  /** The messages a model should be shown: those that were not evicted. */
  get conversation(): readonly BranchMessage[] {
    return this.#messages.filter(({ id }) => !this.#evicted.has(id));
  }

  /** What whoever uses the branch must know of how it was made. */
  get notices(): readonly string[] {
    return [...this.#notices];
  }

  /** Adds a message to the history. */
  addMessage(role: MessageRole, content: unknown): Message {
    const message = new Message({ role, content });
    this.record(message);
    return message;
  }

  /** Adds what is already a message to the history. `act` does so with its requests and responses. */
  record(message: BranchMessage): void {
    this.#messages.push(message);
    const attachment = attachmentOf(this);
    if (attachment?.emitsSignals === true) {
      void this.#emit(attachment.observer, message);
    }
  }

  /** Emits what was added, best effort. */
  async #emit(observer: SessionObserver, message: BranchMessage): Promise<void> {
    try {
      await observer.emit(new MessageAdded({ data: message }));
      if (message instanceof ActionResponse) await emitAction(observer, this.id, message);
    } catch {
      // Observation fails open; the observer counts what its subscribers did.
    }
  }

  /**
   * Leaves messages out of {@linkcode Branch.conversation}; the history keeps them. The system message stays.
   *
   * @returns How many were left out.
   */
  evict(ids: Iterable<string>): number {
    const wanted = new Set(ids);
    let count = 0;
    for (const message of this.conversation) {
      if (!wanted.has(message.id) || message.role === "system") continue;
      this.#evicted.add(message.id);
      count += 1;
    }
    return count;
  }

  /** Registers a tool. @returns The tool with the branch's governance around it. */
  registerTool(tool: ToolLike, options: RegisterOptions = {}): Tool {
    return this.acts.registerTool(tool, options);
  }

  /** Registers several tools; none when one of them cannot be. */
  registerTools(tools: Iterable<ToolLike>, options: RegisterOptions = {}): Tool[] {
    return this.acts.registerTools(tools, options);
  }

  /** Asks the session's gate about a proposed action; `true` without an observer (D4-3). */
  async authorize(action: unknown): Promise<boolean> {
    const { observer } = this;
    return observer === null || await observer.authorize(action);
  }

  /**
   * Does what is requested: asks the session's gate, calls the tool, keeps request and response in the history.
   *
   * @returns One response for one request, a list in the requests' order for several. A denied or failed call is a
   * response too: look at its `outcome`.
   * @throws What cancelled the calls, when the signal is aborted; with `suppressErrors: false` also what kept a call
   * from being made.
   */
  act(request: ActionRequestLike, options?: ActOptions): Promise<ActionResponse>;
  /** Does several things; see above. */
  act(requests: readonly ActionRequestLike[], options?: ActOptions): Promise<ActionResponse[]>;
  async act(
    given: ActionRequestLike | readonly ActionRequestLike[],
    options: ActOptions = {},
  ): Promise<ActionResponse | ActionResponse[]> {
    if (isList(given)) return await act(this, given, options);
    const [response] = await act(this, [given], options);
    return response;
  }

  /** Adds a notice. */
  addNotice(text: string): void {
    this.#notices.push(text);
  }

  /** Has something done when the branch is closed. */
  onClose(closer: () => unknown): void {
    this.#closers.push(closer);
  }

  /** Ends what the branch keeps open, such as connections to MCP servers. */
  async close(): Promise<void> {
    for (const closer of this.#closers.splice(0).reverse()) await closer();
  }

  /** The same as {@linkcode Branch.close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function isList(
  given: ActionRequestLike | readonly ActionRequestLike[],
): given is readonly ActionRequestLike[] {
  return Array.isArray(given);
}

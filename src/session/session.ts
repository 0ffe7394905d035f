import { Element, type ElementInit } from "../signals/element.ts";
import { attach, attachmentOf, detach } from "./attachment.ts";
import { Branch, type BranchOptions } from "./branch.ts";
import type { ToolInvocation } from "./control.ts";
import { type GateAnswer, SessionObserver } from "./observer.ts";

/** What a {@linkcode Session} is made of. */
export interface SessionOptions extends ElementInit {
  /** The session's name. */
  readonly name?: string;
  /** How many events the observer's flow keeps; see `SessionObserver`. */
  readonly capacity?: number;
  /**
   * Whether the branches emit signals of their messages and of what `act` does: proposed, decided, completed or failed.
   * Default `false`: emitted signals pass the same gate as
   * tool invocations (D4-11), and a gate that asks a person must not ask about every message.
   */
  readonly signals?: boolean;
}

/**
 * A session's gate: it is asked about tool invocations. Where events are emitted as well, it is also asked about their
 * payloads, which have another shape (D4-11).
 */
export type SessionGate = (action: ToolInvocation) => GateAnswer | Promise<GateAnswer>;

/** How a gate is installed. */
export interface GateOptions {
  /**
   * Whether every route of every branch asks the gate, once a call: also `branch.acts.invoke` and a `FunctionCalling` made
   * by hand. Default `false`: `act` alone asks (D3-9, D4-9).
   */
  readonly everyRoute?: boolean;
}

/** Several branches under one observer and one gate (D4). */
export class Session extends Element {
  /** The session's name; `null` when it has none. */
  readonly name: string | null;
  /** Observes the branches, and holds the gate. */
  readonly observer: SessionObserver;
  readonly #branches = new Map<string, Branch>();
  readonly #emitsSignals: boolean;
  #everyRoute = false;

  /** Makes a session without branches. */
  constructor(options: SessionOptions = {}) {
    super(options);
    this.name = options.name ?? null;
    this.#emitsSignals = options.signals ?? false;
    this.observer = new SessionObserver({ session: this, capacity: options.capacity });
  }

  /** The branches by id. */
  get branches(): ReadonlyMap<string, Branch> {
    return new Map(this.#branches);
  }

  /** Makes a branch in this session. */
  newBranch(options: BranchOptions = {}): Branch {
    return this.include(new Branch(options));
  }

  /**
   * Takes a branch in: from now on it has this session's observer (D4-2).
   *
   * @throws {Error} when it is in another session.
   */
  include(branch: Branch): Branch {
    if (this.#branches.has(branch.id)) return branch;
    if (attachmentOf(branch) !== null) {
      throw new Error(
        `Cannot include the branch ${branch.id}: it is in another session; remove it there first`,
      );
    }
    this.#branches.set(branch.id, branch);
    attach(branch, {
      observer: this.observer,
      gatesEveryRoute: () => this.#everyRoute,
      emitsSignals: this.#emitsSignals,
    });
    return branch;
  }

  /**
   * Lets a branch go: it has no observer any more, and nobody asks about its actions (D4-2).
   *
   * @returns Whether it was here.
   */
  remove(branch: Branch | string): boolean {
    const id = typeof branch === "string" ? branch : branch.id;
    const found = this.#branches.get(id);
    if (found === undefined) return false;
    this.#branches.delete(id);
    detach(found);
    return true;
  }

  /**
   * Installs the session's one gate, in the place of the one before (D4-1). A falsy answer denies, and so does throwing
   * (D4-4).
   *
   * @returns The observer.
   */
  gate(check: SessionGate, options: GateOptions = {}): SessionObserver {
    this.#everyRoute = options.everyRoute ?? false;
    return this.observer.gate(check as (payload: unknown) => GateAnswer | Promise<GateAnswer>);
  }

  /** Removes the gate. */
  clearGate(): SessionObserver {
    this.#everyRoute = false;
    return this.observer.clearGate();
  }

  /** Closes the branches and writes what persistence still holds. */
  async close(): Promise<void> {
    for (const branch of this.#branches.values()) await branch.close();
    await this.observer.unbindPersistence();
  }

  /** The same as {@linkcode Session.close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
